package clients

import "reflect"

// merged returns the decoded entry with the change made, and whether the text
// already has it so.
func (c change) merged(all map[string]any) (entry map[string]any, asItIs bool) {
	entry = map[string]any{}
	table, _ := all[c.table].(map[string]any)
	if old, is := table[c.entry].(map[string]any); is {
		entry = old
	}
	asItIs = len(entry) > 0
	for _, f := range c.fields {
		asItIs = asItIs && reflect.DeepEqual(entry[f.name], f.value)
		entry[f.name] = f.value
	}
	for name, value := range c.env {
		asItIs = c.mergeVariable(entry, name, value) && asItIs
	}
	return entry, asItIs
}

// mergeVariable sets a variable of an entry, or removes it if the value is
// empty. It reports whether that changed nothing.
func (c change) mergeVariable(entry map[string]any, name, value string) bool {
	env, _ := entry[c.variables].(map[string]any)
	was, exists := env[name]
	switch {
	case value == "" && !exists, exists && was == value:
		return true
	case value == "":
		delete(env, name)
	case env == nil:
		entry[c.variables] = map[string]any{name: value}
	default:
		env[name] = value
	}
	return false
}
