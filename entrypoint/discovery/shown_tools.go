package discovery

import "kota/metadata"

// ShownTools returns the tools that the answer shows.
func (f Findings) ShownTools() []string {
	var tools []string
	for _, a := range f.Actions {
		tools = append(tools, a.Tool)
	}
	return tools
}

// ShownTools returns the tools that the answer shows.
func (d Description) ShownTools() []string { return toolsOf(d.Actions) }

// ShownTools returns the tools that the answer shows.
func (d LevelDescription) ShownTools() []string {
	var tools []string
	for _, a := range d.Actions {
		tools = append(tools, a.Tool)
	}
	return tools
}

func toolsOf(actions []metadata.Action) []string {
	var tools []string
	for _, a := range actions {
		tools = append(tools, a.Tool)
	}
	return tools
}
