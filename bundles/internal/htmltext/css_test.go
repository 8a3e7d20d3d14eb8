package htmltext

import (
	"strings"
	"testing"
)

// A sender must not be able to show text to a model that people do not see.
func TestHiddenTextStaysHidden(t *testing.T) {
	many := func(declaration string) string { return strings.Repeat(declaration, 400) }
	for name, document := range map[string]string{
		"before many declarations":                `<p style="display:none;` + many("color:red;") + `">SECRET</p>`,
		"before many values that are none":        `<p style="display:none;` + many("display:bogus;") + `">SECRET</p>`,
		"between many declarations":               `<p style="` + many("margin:0;") + `display:none;` + many("color:red;") + `">SECRET</p>`,
		"by a rule with many declarations":        `<style>.x{display:none;` + many("color:red;") + `}</style><p class=x>SECRET</p>`,
		"by a rule for light screens":             `<style>@media (prefers-color-scheme: light){.x{display:none}}</style><p class=x>SECRET</p>`,
		"by a rule for light screens with spaces": `<style>@media screen and ( prefers-color-scheme :light ) {.x{display:none}}</style><p class=x>SECRET</p>`,
		"by a rule for wide screens with spaces":  `<style>@media ( min-width : 300px ){.x{display:none}}</style><p class=x>SECRET</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			r := HTML([]byte("<p>Shown</p>"+document), Options{})
			if strings.Contains(r.Markdown, "SECRET") || r.Hidden == 0 || !strings.Contains(r.Markdown, "Shown") {
				t.Errorf("it is shown as %q, with %d hidden characters", r.Markdown, r.Hidden)
			}
		})
	}
}

func TestTextForOtherScreensIsNotHidden(t *testing.T) {
	for _, media := range []string{"print", "(prefers-color-scheme: dark)", "( max-width : 600px )"} {
		document := "<style>@media " + media + "{.x{display:none}}</style><p class=x>Shown</p>"
		if r := HTML([]byte(document), Options{}); r.Markdown != "Shown" {
			t.Errorf("%s: it is shown as %q", media, r.Markdown)
		}
	}
}
