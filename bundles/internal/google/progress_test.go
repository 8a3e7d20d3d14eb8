package google

import (
	"slices"
	"testing"

	"kota/bundles"
)

func TestProgressReportsAnswersAndRetries(t *testing.T) {
	s := serve(t, googleError(503, "backendError", "x"), ok)
	client, _ := s.client(t, nil)
	var told []string
	ctx := (&bundles.Env{OnProgress: func(step string) { told = append(told, step) }}).NewContext(t.Context())
	if _, err := s.mail(t, client).Users.Messages.Get("me", "1").Context(ctx).Do(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Gmail is asked again", "Gmail has answered"}; !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
}
