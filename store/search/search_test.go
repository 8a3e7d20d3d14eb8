package search

import (
	"strings"
	"testing"
)

func TestTermsSplitsText(t *testing.T) {
	for text, want := range map[string]string{
		"homeAddress":       "home address homeaddress",
		"home_address.zip":  "home address zip homeaddresszip",
		"HTTPServer":        "http server httpserver",
		"iPhone15":          "i phone 15 iphone15",
		"dentist's":         "dentist dentists",
		"l'école":           "ecole lecole",
		"Wi-Fi":             "wi fi wifi",
		"Müller":            "muller mueller",
		"Straße":            "strasse",
		"C++20, C# or .NET": "c 20 c20 c++20 c++ c# or net",
		"me@example.org":    "me example org meexampleorg me@example.org",
		"漢字学":               "漢字 字学 漢 字 学",
		"が":                 "が",
		"ｆｕｌｌ　ｗｉｄｔｈ":        "full width",
		"party🎉":            "🎉 party",
		"twice twice":       "twice",
		"- & -":             "- &",
		"":                  "",
	} {
		if got := strings.Join(Terms(text), " "); got != want {
			t.Errorf("terms(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestPlainTextKeepsTheOrder(t *testing.T) {
	for value, want := range map[string]string{
		`"a \"b\" \u00fc"`:                `a "b" ü`,
		`{"b":1,"a":{"c":[true,null,2]}}`: "b: 1, a: c: true, null, 2",
		`[]`:                              "",
		`{}`:                              "",
		`[{"a":1},{"b":""},"c"]`:          "a: 1, b: , c",
		`12345678901234567890123`:         "12345678901234567890123",
	} {
		if got := PlainText(value); got != want {
			t.Errorf("plainText(%s) = %q, want %q", value, got, want)
		}
	}
}
