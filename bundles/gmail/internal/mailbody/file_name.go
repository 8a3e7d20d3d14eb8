package mailbody

import (
	"path/filepath"
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/lazyregexp"
)

var (
	// unsafeInNames is what some system gives a meaning in file names.
	unsafeInNames = lazyregexp.Of(`[<>:"|?*/\\\x00-\x1f]`)
	// devices are names that Windows takes for devices, whatever ending they have.
	devices = lazyregexp.Of(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$| )`)
)

// mostOfAFileName is in bytes: file systems take 255, and a clash adds some.
const mostOfAFileName = 150

// SafeFileName makes a name that a sender chose one that is harmless in any file
// system: without folders, links, devices, hidden files or options.
func SafeFileName(name string) string {
	name = htmltext.Line(name)
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = unsafeInNames().ReplaceAllString(name, "_")
	name = strings.Trim(name, " .-_~")
	if name == "" {
		name = "attachment"
	}
	if devices().MatchString(name) {
		name = "_" + name
	}
	return shortName(name)
}

// shortName makes a name fit by taking away from its end, but not the ending.
func shortName(name string) string {
	base, ending := SplitFileName(name)
	if len(base)+len(ending) <= mostOfAFileName {
		return name
	}
	base = strings.ToValidUTF8(base[:mostOfAFileName-len(ending)], "")
	return strings.TrimRight(base, " .") + ending
}

// SplitFileName splits a name before its ending: "a.tar.gz" has the ending ".gz".
func SplitFileName(name string) (base, ending string) {
	ending = filepath.Ext(name)
	if len(ending) > 20 || len(ending) == len(name) {
		ending = ""
	}
	return strings.TrimSuffix(name, ending), ending
}
