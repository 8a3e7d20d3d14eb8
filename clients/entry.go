package clients

import (
	"fmt"
	"maps"
	"reflect"
)

// Add returns the text with the entry of that name, made or brought up to date:
// command, arguments and these variables are as given, all else that the entry
// has stays, and so does every byte outside of it. Empty text is a new file. It
// is an error when text is not in the client's format, and ErrLayout when it
// cannot be edited.
func (c Client) Add(text []byte, name string, entry Entry) ([]byte, error) {
	before, err := c.format.decode(text)
	if err != nil {
		return nil, err
	}
	fields := c.fields(entry)
	edited, err := c.format.set(text, c.under, name, fields, entry.Env)
	if err != nil {
		return nil, err
	}
	wanted := map[string]any{}
	for _, f := range fields {
		wanted[f.name] = f.value
	}
	return edited, c.checked(edited, name, before, wanted, entry.Env)
}

// Remove returns the text without the entry of that name, and whether it was
// there. In JSON that has other settings the table goes too where it is empty then
// and has no comment. All other bytes stay. The errors are those of Add.
func (c Client) Remove(text []byte, name string) ([]byte, bool, error) {
	before, err := c.format.decode(text)
	if err != nil {
		return nil, false, err
	}
	if table, _ := before[c.under].(map[string]any); table[name] == nil {
		return text, false, nil
	}
	edited, err := c.format.remove(text, c.under, name)
	if err != nil {
		return nil, false, err
	}
	return edited, true, c.checked(edited, name, before, nil, nil)
}

// addresses are the fields in which clients keep where a server is that they
// reach over HTTP: all of them url, Gemini CLI httpUrl too, and Windsurf serverUrl.
var addresses = []string{"url", "httpUrl", "serverUrl"}

// Read returns the entry of that name, and whether there is one. An entry that says
// both what it starts and where it connects to is mixed up, and is returned with
// both; one that says neither, or one of them in another way than with a word, is of
// a kind that is not known here, and is returned with neither. It is an error when
// text is not in the client's format.
func (c Client) Read(text []byte, name string) (Entry, bool, error) {
	all, err := c.format.decode(text)
	if err != nil {
		return Entry{}, false, err
	}
	table, _ := all[c.under].(map[string]any)
	there := table[name] != nil // null says no more than nothing
	raw, _ := table[name].(map[string]any)
	entry := Entry{Off: raw["disabled"] == true || raw["enabled"] == false}
	if !known(raw) {
		return entry, there, nil
	}
	entry.Command, _ = raw["command"].(string)
	for _, name := range addresses {
		if url, _ := raw[name].(string); url != "" {
			entry.URL = url
		}
	}
	args, _ := raw["args"].([]any)
	for _, arg := range args {
		entry.Args = append(entry.Args, fmt.Sprint(arg))
	}
	if env, _ := raw["env"].(map[string]any); len(env) > 0 {
		entry.Env = map[string]string{}
		for name, value := range env {
			entry.Env[name] = fmt.Sprint(value)
		}
	}
	return entry, there, nil
}

// known reports whether all that the entry says of a program and of an address is
// a word.
func known(entry map[string]any) bool {
	for _, name := range append([]string{"command"}, addresses...) {
		if _, word := entry[name].(string); entry[name] != nil && !word {
			return false
		}
	}
	return true
}

// fields are what the client's file says of the entry, in their order.
func (c Client) fields(entry Entry) []field {
	fields := []field{}
	if c.typed {
		fields = append(fields, field{"type", "stdio"})
	}
	args := make([]any, 0, len(entry.Args))
	for _, arg := range entry.Args {
		args = append(args, arg)
	}
	return append(fields, field{"command", entry.Command}, field{"args", args})
}

// checked reads the edited text again: it must say what it said before, but for
// the entry, which must have these fields and variables, or be gone without any.
func (c Client) checked(edited []byte, name string, before map[string]any, fields map[string]any, env map[string]string) error {
	after, err := c.format.decode(edited)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLayout, err)
	}
	is, was := c.without(after, name), c.without(before, name)
	for field, value := range fields {
		if !reflect.DeepEqual(is[field], value) {
			return ErrLayout
		}
		delete(is, field)
		delete(was, field)
	}
	if fields != nil && !sameButFor(env, is, was) {
		return ErrLayout
	}
	if fields == nil && is != nil || fields != nil && len(is) != len(was) || len(is) > 0 && !reflect.DeepEqual(is, was) {
		return ErrLayout
	}
	if !reflect.DeepEqual(after, before) {
		return ErrLayout
	}
	return nil
}

// without takes the entry out of what a file says, and the table when that is
// empty then. It returns the entry's fields, nil when it was not there.
func (c Client) without(all map[string]any, name string) map[string]any {
	table, ok := all[c.under].(map[string]any)
	if !ok {
		if all[c.under] == nil { // null says no more than nothing
			delete(all, c.under)
		}
		return nil
	}
	entry, _ := table[name].(map[string]any)
	delete(table, name)
	if len(table) == 0 {
		delete(all, c.under)
	}
	return maps.Clone(entry)
}

// sameButFor compares the variables of two entries, but for those given, which
// the first must have so, and takes them out of both.
func sameButFor(env map[string]string, is, was map[string]any) bool {
	now, _ := is["env"].(map[string]any)
	before, _ := was["env"].(map[string]any)
	now, before = maps.Clone(now), maps.Clone(before)
	for name, value := range env {
		if got, there := now[name]; there != (value != "") || there && got != value {
			return false
		}
		delete(now, name)
		delete(before, name)
	}
	delete(is, "env")
	delete(was, "env")
	return len(now) == 0 && len(before) == 0 || reflect.DeepEqual(now, before)
}
