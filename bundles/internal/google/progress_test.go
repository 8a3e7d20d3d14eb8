package google

import (
	"slices"
	"testing"

	"kota/bundles"
)

func TestProgressReportsAnswersAndRetries(t *testing.T) {
	s := serve(t, googleError(503, "backendError", "x"), ok)
	client, _ := s.client(t, nil)
	var steps []string
	ctx := (&bundles.Env{OnProgress: func(step string) { steps = append(steps, step) }}).NewContext(t.Context())
	if _, err := s.mail(t, client).Users.Messages.Get("me", "1").Context(ctx).Do(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"repeating the request to Gmail", "Gmail has answered"}; !slices.Equal(steps, want) {
		t.Errorf("got %q, want %q", steps, want)
	}
}
