package doctor

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
)

func TestDoctorChecksGoogleAndItsClock(t *testing.T) {
	for name, test := range map[string]struct {
		google http.HandlerFunc
		wants  []string
	}{
		"answers": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
			[]string{"true network 127.0.0.1", "true clock within two minutes of Google's"}},
		"another time": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		}, []string{"true network", "false clock 1h0m"}},
		"hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			[]string{"false network 127.0.0.1"}},
		"says no time": {func(w http.ResponseWriter, _ *http.Request) { w.Header()["Date"] = nil },
			[]string{"true network"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(test.google)
			defer server.Close()
			a := &app.App{Config: config.Config{GoogleEndpoint: server.URL + "/", Now: time.Now}}
			found := examineGoogle(a, t.Context())
			if len(found) != len(test.wants) {
				t.Fatalf("found %+v, want %q", found, test.wants)
			}
			for i, f := range found {
				output := map[bool]string{true: "true ", false: "false "}[f.OK] + f.Check + " " + f.Saw
				if !strings.HasPrefix(output, test.wants[i]) || f.OK == (f.Remedy != "") {
					t.Errorf("found %q, remedy %q, want %q", output, f.Remedy, test.wants[i])
				}
			}
		})
	}
}

func TestDoctorNamesARefusedConnection(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has another number for it")
	}
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	a := &app.App{Config: config.Config{GoogleEndpoint: server.URL + "/", Now: time.Now}}
	if found := examineGoogle(a, t.Context()); len(found) != 1 || !strings.HasSuffix(found[0].Saw, " cannot be reached: the connection was refused") {
		t.Errorf("found %+v", found)
	}
}
