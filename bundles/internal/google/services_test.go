package google

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"
	"google.golang.org/api/people/v1"

	"kota/bundles/internal/google/googletest"
)

// The clients equal the ones of the generated constructors in every field,
// unexported ones included, except for the logger. A new version of the library
// with other fields fails here.
func TestServicesAreAsTheLibraryMakesThem(t *testing.T) {
	client := &http.Client{}
	for _, endpoint := range []string{"", "http://127.0.0.1:8321"} {
		mail, err := gmail.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(GmailBase(endpoint)))
		if err != nil {
			t.Fatal(err)
		}
		events, err := calendar.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(CalendarBase(endpoint)))
		if err != nil {
			t.Fatal(err)
		}
		contacts, err := people.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(PeopleBase(endpoint)))
		if err != nil {
			t.Fatal(err)
		}
		options := cmp.Options{
			cmp.Exporter(func(reflect.Type) bool { return true }),
			cmp.Comparer(func(a, b *slog.Logger) bool { return a != nil && b != nil }),
		}
		if diff := cmp.Diff(mail, NewGmail(client, endpoint), options); diff != "" {
			t.Errorf("Gmail at %q (-library +ours):\n%s", endpoint, diff)
		}
		if diff := cmp.Diff(events, NewCalendar(client, endpoint), options); diff != "" {
			t.Errorf("Calendar at %q (-library +ours):\n%s", endpoint, diff)
		}
		if diff := cmp.Diff(contacts, NewPeople(client, endpoint), options); diff != "" {
			t.Errorf("People at %q (-library +ours):\n%s", endpoint, diff)
		}
	}
}

// stdout of a server carries only protocol, and no log has the text of a mail.
func TestServicesLogNothing(t *testing.T) {
	t.Setenv("GOOGLE_SDK_GO_LOGGING_LEVEL", "debug")
	s := googletest.New(t)
	stdout, written, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	real := os.Stdout
	os.Stdout = written
	_, mailErr := NewGmail(s.HTTPClient("ann@example.com"), s.URL()).Users.GetProfile("me").Context(context.Background()).Do()
	_, eventErr := NewCalendar(s.HTTPClient("ann@example.com"), s.URL()).CalendarList.List().Context(context.Background()).Do()
	os.Stdout = real
	written.Close()
	if mailErr != nil || eventErr != nil {
		t.Error("the services do not work:", mailErr, eventErr)
	}
	if text, err := io.ReadAll(stdout); err != nil || len(text) > 0 {
		t.Errorf("wrote to stdout: %.200q, %v", text, err)
	}
}
