package clients

import "reflect"

// merged returns the entry after the change, and whether the change has no
// effect. The argument all is the decoded text; merged changes the entry in it.
func (c change) merged(all map[string]any) (entry map[string]any, unchanged bool) {
	entry = map[string]any{}
	table, _ := all[c.table].(map[string]any)
	if old, isMap := table[c.entry].(map[string]any); isMap {
		entry = old
	}
	unchanged = len(entry) > 0
	for _, f := range c.fields {
		unchanged = unchanged && reflect.DeepEqual(entry[f.name], f.value)
		entry[f.name] = f.value
	}
	for name, value := range c.env {
		unchanged = c.mergeVariable(entry, name, value) && unchanged
	}
	return entry, unchanged
}

// mergeVariable sets a variable of an entry, or removes it if the value is
// empty. It reports whether the entry stayed unchanged.
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
