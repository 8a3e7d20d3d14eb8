package search

import (
	"fmt"
	"strings"
	"testing"
)

// No query breaks the search. A query without a tool that must come first may find nothing.
func TestSearchAnswersHostileQueries(t *testing.T) {
	own := Options{OutOfScope: OutOfScope(deskEntries), Classifier: Classifier()}
	for name, c := range map[string]struct {
		query string
		first string // the tool that must come first; "" for any
	}{
		"10,000 characters":           {strings.Repeat("send a message to somebody ", 400), "gmail_send_message"},
		"10,000 characters, one word": {strings.Repeat("x", 10_000), ""},
		"a million characters":        {strings.Repeat("draft ", 170_000), "gmail_create_draft"},
		"one emoji":                   {"📧", ""},
		"emoji with modifiers":        {"👩🏽‍💻👨‍👩‍👧‍👦", ""},
		"only stop words":             {"the of and to it is", ""},
		"SQL":                         {"'; DROP TABLE memories; SELECT * FROM users WHERE '1'='1' --", ""},
		"a full-text query":           {`"memory" NEAR/3 (set* OR ^delete) NOT "x`, ""},
		"a regular expression":        {`^(a+)+$|(?P<n>[^\]]*)\1{9999}`, ""},
		"a format string":             {"%s%n%d {{.}} ${HOME} $(rm -rf)", ""},
		"mixed scripts":               {"send сообщение an 友達 με draft", ""},
		"right to left":               {"\u202eأرسل رسالة إلى آنا", ""},
		"not UTF-8":                   {"memory\xff\xfe_set \x00", ""},
		"combining marks":             {"m" + strings.Repeat("\u0301", 5000), ""},
		"only a lone accent":          {"´", ""},
		"a lone accent between words": {"draft ´ an apology for being late", "gmail_create_draft"},
		"a combining mark alone":      {"\u0301", ""},
		"only separators":             {strings.Repeat("a/", 2047), ""},
		"370 clauses":                 {strings.Repeat("zebra stripes, ", 370), ""},
		"only punctuation":            {"?!.,;:—…", ""},
		"JSON":                        {`{"query": ["memory_set", null, 1e999]}`, "memory_set"},
	} {
		for kind, o := range map[string]Options{"words": {}, "words and meaning": {Meaning: true}, "words and classifier": own} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				hits := checkHits(t, deskEntries, o, c.query, 5)
				if c.first != "" && (len(hits) == 0 || deskEntries[hits[0].Entry].Tool != c.first) {
					t.Errorf("found %v, want %s first", hits, c.first)
				}
			})
		}
	}
}

func TestSearchFindsToolsWithHostileTexts(t *testing.T) {
	many := synthetic(5000)
	for name, c := range map[string]struct {
		entries []Entry
		query   string
		first   string
	}{
		"5,000 tools":                  {many, many[4321].Tool, many[4321].Tool},
		"a summary with a lone accent": {[]Entry{{Tool: "quote", Name: "quote", Summary: "´", Description: "Use ´ as a quote."}, {Tool: "crop", Name: "crop", Summary: "Cut a picture."}}, "cut a picture", "crop"},
		"a name of 52 letters":         {[]Entry{{Tool: "listOrganizationRepositoryPullRequestReviewComments", Name: "listOrganizationRepositoryPullRequestReviewComments"}, {Tool: "crop", Name: "crop", Summary: "Cut a picture."}}, "list the comments of a pull request review", "listOrganizationRepositoryPullRequestReviewComments"},
		"empty descriptions":           {[]Entry{{Tool: "a", Name: "a"}, {Tool: "resize_image", Name: "resize_image"}}, "resize an image", "resize_image"},
		"a description of 1 MB":        {[]Entry{{Tool: "book", Name: "book", Description: strings.Repeat("lorem ipsum dolor ", 60_000)}, {Tool: "crop", Name: "crop", Summary: "Cut a picture."}}, "cut a picture", "crop"},
		"a word of 1 MB":               {[]Entry{{Tool: "book", Name: "book", Description: strings.Repeat("a", 1<<20)}, {Tool: "crop", Name: "crop", Summary: "Cut a picture."}}, "cut a picture", "crop"},
		"a name that is a stop word":   {[]Entry{{Tool: "the", Name: "the", Summary: "Reads tea leaves."}, {Tool: "it", Name: "it", Summary: "Turns it off."}}, "the", "the"},
		"a name of stop words":         {[]Entry{{Tool: "do_it", Name: "do_it"}, {Tool: "have_it", Name: "have_it"}}, "do it", "do_it"},
		"equal action names":           {[]Entry{{Tool: "pictures_copy", Name: "copy"}, {Tool: "files_copy", Name: "copy"}}, "copy", "files_copy"},
		"a thousand phrases":           {[]Entry{{Tool: "talk", Name: "talk", Phrases: strings.Split(strings.Repeat("say a word,", 1000), ",")}, {Tool: "crop", Name: "crop", Summary: "Cut a picture."}}, "cut a picture", "crop"},
	} {
		t.Run(name, func(t *testing.T) {
			if hits := checkHits(t, c.entries, Options{Meaning: true}, c.query, 5); len(hits) == 0 || c.entries[hits[0].Entry].Tool != c.first {
				t.Errorf("found %v, want %s first", hits, c.first)
			}
		})
	}
}

// Catalogues of others are read or refused.
func TestParseCatalogueReadsHostileFiles(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"p":`, 2000) + `{}` + strings.Repeat(`}}`, 2000)
	for name, c := range map[string]struct {
		catalogue string
		params    int    // of the first tool
		wrong     string // part of the error; "" for none
	}{
		"a schema that contains itself by reference": {`[{"name":"a","inputSchema":{"$ref":"#","properties":{"x":{"$ref":"#/properties/x"}}}}]`, 1, ""},
		"definitions that contain one another":       {`[{"name":"a","inputSchema":{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"x":{"$ref":"#/$defs/a"}}}}]`, 3, ""},
		"a schema 2,000 levels deep":                 {`[{"name":"a","inputSchema":` + deep + `}]`, maxSchemaDepth, ""},
		"a schema deeper than JSON may be":           {`[{"name":"a","inputSchema":` + strings.Repeat(`{"p":`, 20_000) + `1` + strings.Repeat(`}`, 20_000) + `}]`, 0, "depth"},
		"a name without letters":                     {`[{"name":"_"}]`, 0, "no letter or digit"},
		"a description that is no text":              {`[{"name":"a","description":7}]`, 0, "description"},
	} {
		t.Run(name, func(t *testing.T) {
			entries, _, _, err := ParseCatalogue([]byte(c.catalogue))
			if c.wrong != "" {
				if err == nil || !strings.Contains(fmt.Sprint(err), c.wrong) {
					t.Errorf("the error is %v, want one about %q", err, c.wrong)
				}
				return
			}
			if err != nil || len(entries[0].Params) != c.params {
				t.Errorf("read %v, %v; want %d parameters", entries, err, c.params)
			}
		})
	}
}
