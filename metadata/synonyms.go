package metadata

import "slices"

// synonyms lists names that other tools use for the same argument. KOTA suggests a name for
// another name on the same line. It never replaces the name itself, because only the caller
// knows what the name meant.
var synonyms = [][]string{
	{"body", "text", "content", "message", "note"},
	{"to", "recipient", "recipients", "address", "email"},
	{"title", "summary", "name", "subject", "text"},
	{"limit", "max_results", "max", "count", "size", "page_size", "top", "n"},
	{"query", "q", "search", "text", "keywords", "filter", "term"},
	{"bundle", "key", "namespace", "toolset"},
	{"date", "day", "on", "when"},
	{"from", "start", "since", "after", "time_min"},
	{"to", "end", "until", "before", "time_max"},
	{"start", "begin", "from", "when", "date", "time"},
	{"attendees", "guests", "people", "participants", "invitees"},
	{"location", "place", "where", "address"},
	{"description", "details", "notes", "body", "text", "content"},
	{"cursor", "page_token", "next_cursor", "page"},
	{"ids", "id", "message_id", "event_id", "task_id"},
	{"value", "content", "text", "data", "fact"},
	{"tags", "labels", "categories", "tag"},
}

// suggestArgument returns the argument that the caller may have meant by an unknown name, or "".
// It returns only an argument that the caller did not send and that the value fits.
func (p location) suggestArgument(name string) string {
	given := p.value.member(name)
	var absent, missing []string
	for _, prop := range p.shape.props {
		if p.value.member(prop.name) != nil || !prop.fits(given) {
			continue
		}
		absent = append(absent, prop.name)
		if prop.required {
			missing = append(missing, prop.name)
		}
	}
	if same := synonym(name, absent); same != "" {
		return same
	}
	if near := Nearest(name, absent, 1); len(near) > 0 {
		return near[0]
	}
	if len(missing) == 1 {
		return missing[0]
	}
	return ""
}

// synonym returns the first candidate on the same line of synonyms as name, or "".
func synonym(name string, candidates []string) string {
	for _, line := range synonyms {
		if !slices.ContainsFunc(line, func(word string) bool { return SameName(word, name) }) {
			continue
		}
		for _, word := range line {
			if slices.Contains(candidates, word) {
				return word
			}
		}
	}
	return ""
}
