package search

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"kota/metadata/words"
)

// deskEntries is a small catalogue with two bundles that share an action name.
var deskEntries = []Entry{
	{Tool: "memory_set", Bundle: "memory", Name: "set", Summary: "Store a value under a key.",
		Params: []Param{{Name: "key", Description: "name of the memory"}, {Name: "expires_at", Description: "when to forget it"}}},
	{Tool: "memory_search", Bundle: "memory", Name: "search", Summary: "Find memories by words.", Tags: []string{"recall"}},
	{Tool: "memory_delete", Bundle: "memory", Name: "delete", Summary: "Forget a memory."},
	{Tool: "gmail_search", Bundle: "gmail", Name: "search", Summary: "Find messages by sender, subject or date."},
	{Tool: "gmail_send_message", Bundle: "gmail", Name: "send_message", Summary: "Send a message to somebody.",
		Phrases: []string{"drop Anna a line"}},
	{Tool: "gmail_create_draft", Bundle: "gmail", Name: "create_draft", Summary: "Write a draft.", Examples: []string{"An apology for being late"}},
	{Tool: "calendar_list_events", Bundle: "calendar", Name: "list_events", Summary: "List the events of a period.",
		Description: "Recurring appointments are expanded.", BundleText: "The agenda of a person."},
}

// found returns the tools that match query, the best first.
func found(x *Index, entries []Entry, query string, limit int) []string {
	tools := []string{}
	for _, h := range x.Search(query, limit) {
		tools = append(tools, entries[h.Entry].Tool)
	}
	return tools
}

func TestSearchPutsTheNamedActionFirst(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	for _, query := range []string{
		"memory_set", "memory.set", "memorySet", "MemorySet", "memory set", "MEMORY-SET", "memory:set", "memory/set", "memoryset",
		"  memory_set\n", "ｍｅｍｏｒｙ＿ｓｅｔ", "select:memory_set", "mcp__kota__memory_set", "kota:memory_set",
		"call memory_set to search messages by sender", "how do I use memorySet?",
	} {
		hits := x.Search(query, 0)
		if len(hits) == 0 || deskEntries[hits[0].Entry].Tool != "memory_set" || hits[0].MatchKind != MatchExact {
			t.Errorf("Search(%q) = %v, want memory_set first and exact", query, hits)
		}
	}
}

func TestSearchFindsEveryActionByItsName(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	if got, want := found(x, deskEntries, "search", 2), []string{"gmail_search", "memory_search"}; !slices.Equal(got, want) {
		t.Errorf("search found %v, want both actions of that name, by tool name: %v", got, want)
	}
	if got := found(x, deskEntries, "send message", 1); !slices.Equal(got, []string{"gmail_send_message"}) {
		t.Errorf("send message found %v", got)
	}
}

func TestSearchPrefersAToolNameToABareActionName(t *testing.T) {
	entries := []Entry{
		{Tool: "a_archive", Bundle: "a", Name: "archive", Summary: "archive archive archive"},
		{Tool: "archive", Name: "archive", Summary: "Something else."},
	}
	if got := found(NewIndex(entries, Options{}), entries, "Archive", 0); !slices.Equal(got, []string{"archive", "a_archive"}) {
		t.Errorf("found %v, want the tool of that very name first", got)
	}
}

func TestSearchFindsByEveryField(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	for query, want := range map[string]string{
		"sender":                     "gmail_search",         // summary
		"recurring":                  "calendar_list_events", // description
		"what is on the agenda":      "calendar_list_events", // bundle text
		"expires":                    "memory_set",           // parameter name
		"recalling":                  "memory_search",        // tag, inflected
		"anna":                       "gmail_send_message",   // phrase
		"apologies for being late":   "gmail_create_draft",   // example
		"remove it from memory":      "memory_delete",        // a synonym
		"drafts of mine":             "gmail_create_draft",   // name
		"listing upcoming happening": "calendar_list_events", // one word in three
	} {
		if got := found(x, deskEntries, query, 1); !slices.Equal(got, []string{want}) {
			t.Errorf("Search(%q) found %v first, want %s", query, got, want)
		}
	}
}

func TestSearchForgivesTypos(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	for query, want := range map[string]string{
		"memory_ste": "memory_set", "gmial_search": "gmail_search", "calender_list_events": "calendar_list_events",
		"gmailsendmesage": "gmail_send_message", "mcp__kota__memry_set": "memory_set", // names
		"apointments": "calendar_list_events", "reccurring": "calendar_list_events", // words
	} {
		hits := x.Search(query, 1)
		if len(hits) != 1 || deskEntries[hits[0].Entry].Tool != want || hits[0].MatchKind != MatchSpelling {
			t.Errorf("Search(%q) = %v, want %s by its spelling", query, hits, want)
		}
	}
}

func TestSearchDoesNotCorrectShortWords(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	for _, query := range []string{"sot", "dolote", "memory_xyz_abc", "recxrxng"} {
		for _, h := range x.Search(query, 0) {
			if h.MatchKind == MatchSpelling {
				t.Errorf("%q was taken for %s", query, deskEntries[h.Entry].Tool)
			}
		}
	}
}

func TestSearchExpandsAbbreviations(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	for query, want := range map[string]string{
		"gsm": "gmail_send_message", "GSM": "gmail_send_message", "gmsend": "gmail_send_message", "cle": "calendar_list_events", "memdel": "memory_delete",
	} {
		hits := x.Search(query, 1)
		if len(hits) != 1 || deskEntries[hits[0].Entry].Tool != want || hits[0].MatchKind != MatchAbbreviation {
			t.Errorf("Search(%q) = %v, want %s as an abbreviation", query, hits, want)
		}
	}
}

func TestSearchDoesNotCorrectKnownWords(t *testing.T) {
	entries := append(slices.Clone(deskEntries), Entry{Tool: "radio_scan", Bundle: "radio", Name: "scan", Summary: "List GSM cells."})
	hits := NewIndex(entries, Options{}).Search("gsm", 0)
	if len(hits) < 2 || entries[hits[0].Entry].Tool != "radio_scan" || hits[0].MatchKind != MatchWord || hits[1].MatchKind != MatchAbbreviation {
		t.Errorf("gsm found %v, want the word before the abbreviation", hits)
	}
	if hits := NewIndex(deskEntries, Options{}).Search("memories", 1); len(hits) != 1 || hits[0].MatchKind != MatchWord {
		t.Errorf("memories found %v, want a word", hits)
	}
}

func TestTheKeyOfABundleFindsItsEntriesInTheirOrder(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	for query, want := range map[string]string{
		"Memory": "memory_set memory_search memory_delete",
		"gmail":  "gmail_search gmail_send_message gmail_create_draft",
	} {
		if got := strings.Join(found(x, deskEntries, query, 3), " "); got != want {
			t.Errorf("%s found %s, want %s", query, got, want)
		}
	}
}

func TestSearchWithoutWordsFindsNothing(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	for _, query := range []string{"", " \t\n", "?!… ---", "\x00", "\xff\xfe", "''", "*", "\u202e\u200b", "zzyzx qwrtp"} {
		if hits := x.Search(query, 5); len(hits) != 0 {
			t.Errorf("Search(%q) = %v, want none", query, hits)
		}
	}
	if hits := NewIndex(nil, Options{}).Search("memory_set", 5); len(hits) != 0 {
		t.Errorf("an empty index answered %v", hits)
	}
}

func TestSearchKeepsAQueryOfStopWords(t *testing.T) {
	entries := []Entry{{Tool: "x_what_if", Bundle: "x", Name: "what_if", Summary: "Simulate a change."}, deskEntries[0]}
	if got := found(NewIndex(entries, Options{}), entries, "if what", 1); !slices.Equal(got, []string{"x_what_if"}) {
		t.Errorf("found %v", got)
	}
}

func TestSearchReadsOtherAlphabets(t *testing.T) {
	entries := []Entry{
		{Tool: "wetter_abfragen", Name: "wetter_abfragen", Summary: "Wettervorhersage für Städte und Länder."},
		{Tool: "rechnung_stellen", Name: "rechnung_stellen", Summary: "Rechnungen über erledigte Aufträge."},
		{Tool: "send_mail_jp", Name: "send_mail_jp", Summary: "電子メールを送信する"},
		{Tool: "calendar_jp", Name: "calendar_jp", Summary: "予定表の一覧を表示する"},
		{Tool: "pogoda", Name: "pogoda", Summary: "Прогноз погоды на неделю"},
	}
	x := NewIndex(entries, Options{})
	for query, want := range map[string]string{
		"STADTE": "wetter_abfragen", "laender länder": "wetter_abfragen", "auftrage": "rechnung_stellen",
		"メールの送信": "send_mail_jp", "予定": "calendar_jp", "表": "calendar_jp", "ПОГОДЫ": "pogoda",
	} {
		if got := found(x, entries, query, 1); !slices.Equal(got, []string{want}) {
			t.Errorf("Search(%q) found %v first, want %s", query, got, want)
		}
	}
}

func TestSearchSplitsAndJoinsCompounds(t *testing.T) {
	entries := []Entry{
		{Tool: "a", Name: "a", Summary: "Convert between timezones."},
		{Tool: "b", Name: "b", Summary: "Count the rows of a file."},
		{Tool: "c", Name: "c", Summary: "Rename a GitHub branch; each file has one name."},
	}
	x := NewIndex(entries, Options{})
	for query, want := range map[string]string{"time zone": "a", "filename": "c", "github": "c", "GitHub": "c", "rowCount": "b"} {
		if got := found(x, entries, query, 1); !slices.Equal(got, []string{want}) {
			t.Errorf("Search(%q) found %v first, want %s", query, got, want)
		}
	}
}

func TestSearchOrdersTiesByToolName(t *testing.T) {
	entries := []Entry{
		{Tool: "c", Name: "c", Summary: "equal words"}, {Tool: "a", Name: "a", Summary: "equal words"}, {Tool: "b", Name: "b", Summary: "equal words"},
	}
	if got := found(NewIndex(entries, Options{}), entries, "equal", 0); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("found %v", got)
	}
}

func TestSearchLimitsQuery(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	long := "gmail draft " + strings.Repeat("recurring ", 1<<20)
	if got := found(x, deskEntries, long, 1); !slices.Equal(got, []string{"gmail_create_draft"}) && !slices.Equal(got, []string{"calendar_list_events"}) {
		t.Errorf("found %v", got)
	}
	late := strings.Repeat("zzyzx ", 1<<20) + "draft"
	if got := found(x, deskEntries, late, 1); len(got) != 0 {
		t.Errorf("a word a megabyte on found %v", got)
	}
	if got := found(x, deskEntries, strings.Repeat("a", 10<<20), 1); len(got) != 0 {
		t.Errorf("a word of ten megabytes found %v", got)
	}
}

func TestSearchAtOnce(t *testing.T) {
	x := NewIndex(deskEntries, Options{})
	want := x.Search("find message", 0)
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			if got := x.Search("find message", 0); !slices.Equal(got, want) {
				t.Errorf("got %v, alone %v", got, want)
			}
		})
	}
	asking.Wait()
}

func TestSearchSplitsNoWordIntoShortWords(t *testing.T) {
	x := newWordIndex([]Entry{{Tool: "a", Name: "a", Summary: "Do up да но."}})
	for _, word := range []string{"doup", "дано"} {
		if got := x.lookupWords(words.Split(word, 0)[0]); !slices.Equal(got, []string{word}) {
			t.Errorf("%q is looked up as %q", word, got)
		}
	}
}
