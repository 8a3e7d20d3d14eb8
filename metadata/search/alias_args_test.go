package search

import (
	"slices"
	"testing"

	"kota/metadata"
)

func TestWordsStandForArguments(t *testing.T) {
	modify := metadata.Action{Name: "modify_messages", Tool: "gmail_modify_messages", Effect: metadata.Writes, Aliases: metadata.Aliases{
		"delete remove trash bin: - message (trash: true)", "untrash: - (trash: false)", "star flag: - message (star: true)",
		"label add_label: - message (add_labels)", "unlabel remove_label: - (remove_labels)", "modify: message",
	}}
	for query, want := range map[string][]string{
		"take the mail out of the trash":         {"trash: false"},
		"haal de mail uit de prullenbak":         {"trash: false"},
		"sors le mail de la corbeille":           {"trash: false"},
		"remove the label Urgent from that mail": {"remove_labels"},
		"put this thread in the trash":           {"trash: true"},
		"gooi de mail in de prullenbak":          {"trash: true"},
		"metti una stella":                       {"star: true"},
		"don't trash it but star it":             {"star: true"},
		"modify the message":                     nil,
		"":                                       nil,
	} {
		if got := AliasArgs(query, modify); !slices.Equal(got, want) {
			t.Errorf("%q stands for %q, want %q", query, got, want)
		}
	}
}
