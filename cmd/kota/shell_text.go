package main

import (
	"regexp"
	"strings"
)

// shellHint returns a hint for callers of the tools, reworded for the command
// line.
func shellHint(hint string) string {
	hint = enableHint.ReplaceAllString(hint, "run `$1`, or add --all to see them")
	hint = withoutHint.ReplaceAllStringFunc(hint, func(filters string) string { return filterName.ReplaceAllString(filters, "--$0") })
	return strings.NewReplacer(
		"Nothing matches; the index names the actions you can call", "No action matches; the actions that can be called are listed above",
		"the index names the actions you can call", "the actions that can be called are listed above",
		"or use the index", "or choose an action listed above",
		"Search with query, or kota_describe_bundle {bundle, detail: \"brief\"}", "Search with `kota discover WORDS`, or read up with `kota describe BUNDLE --detail brief`",
		"Call tool_name", "Call one with `kota call TOOL`",
	).Replace(hint)
}

// shellSchema rewords the last line of a spec, which says how to read the whole schema.
func shellSchema(spec string) string {
	return schemaCall.ReplaceAllString(spec, "Whole schema: kota describe $1 $2 --detail schema")
}

// schemaCall matches the call in such a line.
var schemaCall = regexp.MustCompile(`Whole schema: kota_describe_bundle \{"bundle":"(\w+)","actions":\["(\w+)"\]\}`)

// offHint and enableHint match what a tool says about bundles that are off.
var (
	offHint    = regexp.MustCompile(`\d+ (better )?results? in bundles that are off .*$`)
	enableHint = regexp.MustCompile(`the user can run (kota bundles enable [^\s.]+)\.?$`)

	// withoutHint matches the filters that leave a match out, and filterName each of them.
	withoutHint = regexp.MustCompile(`Without [a-z ]+, \S+ would match`)
	filterName  = regexp.MustCompile(`\b(bundle|category|effect|tags)\b`)
)
