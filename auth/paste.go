package auth

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
)

// maxLine is the maximum bytes of a pasted line. Google's addresses have 1 to 2 KB.
const maxLine = 16 << 10

const askToPaste = `Paste the whole address that the browser opened after signing in; it begins with "http://127.0.0.1:".`

// readPasted reads the lines that the user pastes until a line contains Google's answer. The end
// of the lines is not an error: the browser may still bring the answer.
func (v *requestCallback) readPasted(ctx context.Context, lines io.Reader, say func(string)) {
	in := bufio.NewReaderSize(lines, maxLine)
	for ctx.Err() == nil {
		line, long, err := in.ReadLine()
		text := strings.TrimSpace(string(line))
		for long && err == nil { // the rest of a line that is too long
			_, long, err = in.ReadLine()
		}
		if err != nil {
			return
		}
		if text == "" {
			continue
		}
		query := pastedQuery(text)
		switch err := v.accept(query); {
		case err == nil || errors.Is(err, errDuplicate) || ctx.Err() != nil:
			return
		case errors.Is(err, errOtherSignIn) && query.Has("state"):
			say("That address belongs to another sign-in. " + askToPaste)
		default:
			say("That is not the address. " + askToPaste)
		}
	}
}

// pastedQuery returns the query in the user's text, which is an address or only a query. The
// rest of the address does not matter, because KOTA sends no request to it.
func pastedQuery(text string) url.Values {
	text = strings.Trim(text, `"'<> `)
	if _, after, found := strings.Cut(text, "?"); found {
		text = after
	}
	text, _, _ = strings.Cut(text, "#")
	query, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	return query
}
