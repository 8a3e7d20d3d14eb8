package googletest_test

import (
	"net/http"
	"strings"
	"testing"

	"kota/bundles/internal/google/googletest"
)

func TestStartRefusesOtherAddresses(t *testing.T) {
	s, err := googletest.Start("0.0.0.0:0", func(string) {})
	if err == nil {
		s.Close()
		t.Fatal("it listens to everybody")
	}
}

func TestUnmodelledMethodIsAViolation(t *testing.T) {
	s, violations := newRecorded(t)
	client := s.HTTPClient(ada)
	defer client.CloseIdleConnections()
	answer, err := client.Post(s.URL()+"/gmail/v1/users/me/stop", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if seen := violations(); answer.StatusCode != http.StatusNotImplemented || len(seen) != 1 || !strings.Contains(seen[0], "not modelled") {
		t.Errorf("got %d and violations %q", answer.StatusCode, seen)
	}
}

func TestRequestWithoutTokenIsUnauthorized(t *testing.T) {
	s := googletest.New(t)
	answer, err := http.Get(s.URL() + "/gmail/v1/users/me/labels")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusUnauthorized || strings.Contains(answer.Header.Get("WWW-Authenticate"), "invalid_token") {
		t.Errorf("got %d, %q", answer.StatusCode, answer.Header.Get("WWW-Authenticate"))
	}
}
