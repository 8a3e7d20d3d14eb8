package clients

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
)

// Add returns the text with a new or updated entry of that name. It sets the
// type, the command, the arguments and the given variables, and adds the initial
// fields that are missing. The entry's other fields and all bytes outside the
// entry stay. Empty text is a new file. Add returns an error if text is not in the
// client's format, and ErrLayout if the text cannot be edited.
func (c Client) Add(text []byte, name string, entry Entry) ([]byte, error) {
	before, err := c.format.decode(text)
	if err != nil {
		return nil, err
	}
	fields := c.fields(entry)
	table, _ := before[c.table].(map[string]any)
	old, _ := table[name].(map[string]any)
	initial := c.entry.initial
	if c.entry.repeatsName {
		initial = append([]field{{"name", name}}, initial...)
	}
	for _, f := range initial {
		if _, exists := old[f.name]; !exists {
			fields = append(fields, f)
		}
	}
	edited, err := c.format.set(text, change{c.table, name, fields, c.entry.variables(), entry.Env})
	if err != nil {
		return nil, err
	}
	wanted := map[string]any{}
	for _, f := range fields {
		wanted[f.name] = f.value
	}
	return edited, c.verifyEdit(edited, name, before, wanted, entry.Env)
}

// Remove returns the text without the entry of that name, and whether the entry
// was there. In YAML, it also removes a table that is then empty, with the comments
// above the entry. In JSON, it removes such a table only if the table has no comment
// and the text has other settings. All other bytes stay, except commas and blank
// lines beside the entry. Remove returns the same errors as Add.
func (c Client) Remove(text []byte, name string) ([]byte, bool, error) {
	before, err := c.format.decode(text)
	if err != nil {
		return nil, false, err
	}
	if table, _ := before[c.table].(map[string]any); table[name] == nil {
		return text, false, nil
	}
	edited, err := c.format.remove(text, c.table, name)
	if err != nil {
		return nil, false, err
	}
	return edited, true, c.verifyEdit(edited, name, before, nil, nil)
}

// urlFields are the fields in which clients store the URL of an HTTP server.
// Most use url, Gemini CLI also httpUrl, Windsurf serverUrl, and goose uri.
var urlFields = []string{"url", "httpUrl", "serverUrl", "uri"}

// Read returns the entry of that name, and whether there is one. An ambiguous
// entry keeps both its command and its URL. If either has an unknown form, the
// result has neither. Read returns an error if text is not in the client's
// format.
func (c Client) Read(text []byte, name string) (Entry, bool, error) {
	all, err := c.format.decode(text)
	if err != nil {
		return Entry{}, false, err
	}
	table, _ := all[c.table].(map[string]any)
	exists := table[name] != nil // null means absent
	raw, _ := table[name].(map[string]any)
	entry := Entry{Off: raw["disabled"] == true || raw["enabled"] == false}
	line, known := c.entry.command(raw)
	if !known {
		return entry, exists, nil
	}
	if len(line) > 0 {
		entry.Command, entry.Args = line[0], line[1:]
	}
	for _, name := range urlFields {
		if url, _ := raw[name].(string); url != "" {
			entry.URL = url
		}
	}
	if env, _ := raw[c.entry.variables()].(map[string]any); len(env) > 0 {
		entry.Env = map[string]string{}
		for name, value := range env {
			entry.Env[name] = fmt.Sprint(value)
		}
	}
	return entry, exists, nil
}

// command returns the program that an entry starts, with its arguments, or nil
// if it starts nothing. known is false if the program or a URL has a form
// that KOTA does not know.
func (s entryFormat) command(entry map[string]any) (line []string, known bool) {
	for _, name := range urlFields {
		if _, isText := entry[name].(string); entry[name] != nil && !isText {
			return nil, false
		}
	}
	program := entry[s.field()]
	if program == nil {
		return nil, true
	}
	words, isList := program.([]any)
	if isList != s.oneArray || isList && len(words) == 0 {
		return nil, false
	}
	if !s.oneArray {
		args, _ := entry["args"].([]any)
		words = append([]any{program}, args...)
	}
	if _, isText := words[0].(string); !isText {
		return nil, false
	}
	for _, word := range words {
		line = append(line, fmt.Sprint(word))
	}
	return line, true
}

// field returns the name of the field with the program.
func (s entryFormat) field() string { return cmp.Or(s.program, "command") }

// variables returns the name of the field with the variables.
func (s entryFormat) variables() string { return cmp.Or(s.env, "env") }

// fields returns the fields that the client's file must have for the entry, in
// order.
func (c Client) fields(entry Entry) []field {
	fields := []field{}
	if c.entry.kind != "" {
		fields = append(fields, field{"type", c.entry.kind})
	}
	args := make([]any, 0, len(entry.Args))
	for _, arg := range entry.Args {
		args = append(args, arg)
	}
	if c.entry.oneArray {
		return append(fields, field{c.entry.field(), append([]any{entry.Command}, args...)})
	}
	return append(fields, field{c.entry.field(), entry.Command}, field{"args", args})
}

// verifyEdit returns ErrLayout unless the edited text differs from before only
// in the entry. The entry must have these fields and variables. If fields is
// nil, the entry must be absent.
func (c Client) verifyEdit(edited []byte, name string, before map[string]any, fields map[string]any, env map[string]string) error {
	after, err := c.format.decode(edited)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLayout, err)
	}
	newEntry, oldEntry := c.removeEntry(after, name), c.removeEntry(before, name)
	for field, value := range fields {
		if !reflect.DeepEqual(newEntry[field], value) {
			return ErrLayout
		}
		delete(newEntry, field)
		delete(oldEntry, field)
	}
	if fields != nil && !equalExcept(env, c.entry.variables(), newEntry, oldEntry) {
		return ErrLayout
	}
	if fields == nil && newEntry != nil || fields != nil && len(newEntry) != len(oldEntry) || len(newEntry) > 0 && !reflect.DeepEqual(newEntry, oldEntry) {
		return ErrLayout
	}
	if !reflect.DeepEqual(after, before) {
		return ErrLayout
	}
	return nil
}

// removeEntry removes the entry from the decoded file, and the table if it is then
// empty. It returns the entry's fields, or nil if the entry was absent.
func (c Client) removeEntry(all map[string]any, name string) map[string]any {
	table, ok := all[c.table].(map[string]any)
	if !ok {
		if all[c.table] == nil { // null means absent
			delete(all, c.table)
		}
		return nil
	}
	entry, _ := table[name].(map[string]any)
	delete(table, name)
	if len(table) == 0 {
		delete(all, c.table)
	}
	return maps.Clone(entry)
}

// equalExcept reports whether two entries have the same variables, except those
// in env. The new entry must have the values in env, and no variable whose
// value in env is "". equalExcept deletes the field with the variables in both
// entries.
func equalExcept(env map[string]string, variables string, newEntry, oldEntry map[string]any) bool {
	now, _ := newEntry[variables].(map[string]any)
	before, _ := oldEntry[variables].(map[string]any)
	now, before = maps.Clone(now), maps.Clone(before)
	for name, value := range env {
		if got, exists := now[name]; exists != (value != "") || exists && got != value {
			return false
		}
		delete(now, name)
		delete(before, name)
	}
	delete(newEntry, variables)
	delete(oldEntry, variables)
	return len(now) == 0 && len(before) == 0 || reflect.DeepEqual(now, before)
}
