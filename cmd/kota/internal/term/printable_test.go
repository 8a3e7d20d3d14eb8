package term

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"na\nme\x1b]0;t\a": `na\nme\x1b]0;t\a`,
		"r\u202eevil":      `r\u202eevil`,
		"Zoë 電子 👍":         "Zoë 電子 👍",
		"":                 "",
	} {
		if got := Printable(text); got != want {
			t.Errorf("Printable(%q) = %q, want %q", text, got, want)
		}
	}
}
