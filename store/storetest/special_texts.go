package storetest

import "strings"

// SpecialTexts are texts that a search may handle wrongly, such as special
// characters of query languages, other scripts, stop words and long words.
var SpecialTexts = []string{
	`C++`, `it's`, `a@b.com`, `-x`, `*`, `""`, `"`, `AND`, `OR NOT`, `'; DROP TABLE memories; --`, `NEAR(a b)`, `NEAR(`, `key:`, `key : x`, `{key} : x`,
	`^begin`, `a*`, `(`, `)`, `a\b`, "a\x00b", "\x00", "🎂", "👩‍👩‍👧", "🇩🇪", `漢字`, `我的牙医`, `コーヒー`, `한국어`, `ภาษาไทย`, `naïve`, `ＷＩＦＩ`, `%_%`, `$1 ?1 :a @b`,
	`C#`, `.NET`, `#hashtag`, `100%`, `€5`, `--`, `…`, `<b>bold</b>`, `\`, "tab\tnew\nline", "\u202eright to left", `I`, `the`, `what is the`, `﷽`, `ﬁne`, `ſ`, `İstanbul`, `ßẞ`, `e\u0301`,
	strings.Repeat("long", 50), strings.Repeat("漢", 100),
}
