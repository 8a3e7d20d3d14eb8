package access

import (
	"bytes"
	"context"
	"net/http"

	"github.com/a-h/templ"
)

func (g *Gate) writeSignIn(w http.ResponseWriter, token string) {
	write(w, http.StatusOK, signInPage(g, token))
}

func (g *Gate) refuse(w http.ResponseWriter, status int, reason string) {
	write(w, status, refusalPage(g, reason))
}

func write(w http.ResponseWriter, status int, page templ.Component) {
	var text bytes.Buffer
	if err := page.Render(context.Background(), &text); err != nil {
		status = http.StatusInternalServerError
		text.Reset()
		text.WriteString("KOTA could not make this page.\n")
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(text.Bytes()) // if this fails, the browser is gone
}
