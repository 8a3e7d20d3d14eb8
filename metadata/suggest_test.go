package metadata

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	tools := []string{"memory_set", "memory_get", "memory_search", "memory_delete", "calendar_create_event", "gmail_send_message", "gmail_search", "daily_log"}
	args := []string{"key", "value", "category", "tags", "if_version", "expires_at", "limit"}
	for _, test := range []struct {
		name  string
		among []string
		max   int
		want  []string
	}{
		{"ifVersion", args, 1, []string{"if_version"}},
		{"IF-VERSION", args, 1, []string{"if_version"}},
		{"catgory", args, 1, []string{"category"}},
		{"vlaue", args, 1, []string{"value"}},
		{"tag", args, 1, []string{"tags"}},
		{"expires", args, 1, []string{"expires_at"}},
		{"version", args, 1, []string{"if_version"}},
		{"colour", args, 3, []string{}},
		{"ke", args, 1, []string{"key"}},
		{"x", args, 1, []string{}},
		{"", args, 3, []string{}},
		{"memory.set", tools, 1, []string{"memory_set"}},
		{"set_memory", tools, 1, []string{"memory_set"}},
		{"memroy_saerch", tools, 1, []string{"memory_search"}},
		{"gmail_send", tools, 2, []string{"gmail_send_message"}},
		{"search", tools, 3, []string{"gmail_search", "memory_search"}},
		{"memory_bet", tools, 3, []string{"memory_get", "memory_set"}},
		{strings.Repeat("memory_set", 1000), tools, 3, []string{}},
	} {
		if diff := cmp.Diff(test.want, Nearest(test.name, test.among, test.max)); diff != "" {
			t.Errorf("%.40q (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestNearestIsIndependentOfOrder(t *testing.T) {
	among := []string{"memory_get", "memory_set", "memory_let", "memory_set"}
	reversed := []string{"memory_set", "memory_let", "memory_set", "memory_get"}
	if diff := cmp.Diff(Nearest("memory_xet", among, 9), Nearest("memory_xet", reversed, 9)); diff != "" {
		t.Errorf("the order of the names shows:\n%s", diff)
	}
}
