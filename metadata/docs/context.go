package docs

import "kota/metadata"

const contextHead = `# What KOTA can do

Call an action as the tool of its name, or with ` + "`kota call TOOL key=value`" + ` or ` + "`kota call TOOL '{json}'`; `*`" + ` marks required arguments.
`

const contextShort = `
## In short

` + "`kota describe BUNDLE`" + ` and the tool kota_describe_bundle describe one of these in full.

`

// Context returns the catalogue as Markdown for agents that do not speak MCP. The budget is a
// number of tokens as metadata.Tokens estimates them; 0 means no limit. As far as the budget
// allows, Context shows the bundles with signatures. With the rest of the budget, it shows
// bundles in full. Earlier bundles take precedence. Each other bundle has one line, even if
// the lines exceed the budget.
func Context(catalogue []metadata.Bundle, budget int) string {
	render := func(details []Detail) string {
		text, short := contextHead, ""
		for i, b := range catalogue {
			if details[i] == Names {
				short += Markdown([]metadata.Bundle{b}, Names)
				continue
			}
			text += "\n" + Markdown([]metadata.Bundle{b}, details[i])
		}
		if short != "" {
			text += contextShort + short
		}
		return text
	}
	return render(chooseDetails(len(catalogue), budget, func(details []Detail) int { return metadata.Tokens(render(details)) }))
}

// ContextJSON is Context as a value that marshals to {"bundles": […]}. A bundle in full has its
// whole description. A bundle with signatures has each action's tool name, summary, signature
// and effect. Any other bundle has the names of its actions.
func ContextJSON(catalogue []metadata.Bundle, budget int) any {
	render := func(details []Detail) any {
		list := make([]any, 0, len(catalogue))
		for i, b := range catalogue {
			list = append(list, bundleJSON(b, details[i]))
		}
		return map[string]any{"bundles": list}
	}
	return render(chooseDetails(len(catalogue), budget, func(details []Detail) int { return metadata.Tokens(metadata.Compact(render(details))) }))
}

// chooseDetails returns a level of detail for each of n bundles. In order, it raises each
// bundle to Signatures if the cost then is within the budget. After that, it raises bundles to
// Full in the same way.
func chooseDetails(n, budget int, cost func([]Detail) int) []Detail {
	details := make([]Detail, n)
	for i := range details {
		details[i] = Names
		if budget == 0 {
			details[i] = Full
		}
	}
	if budget == 0 {
		return details
	}
	for _, better := range []Detail{Signatures, Full} {
		for i := range details {
			old := details[i]
			details[i] = better
			if cost(details) > budget {
				details[i] = old
			}
		}
	}
	return details
}

func bundleJSON(b metadata.Bundle, detail Detail) any {
	type action struct {
		Tool      string          `json:"tool_name"`
		Summary   string          `json:"summary"`
		Signature string          `json:"signature"`
		Effect    metadata.Effect `json:"effect"`
	}
	if detail == Full {
		return b
	}
	short := struct {
		Key         string `json:"key"`
		Description string `json:"description"`
		Actions     []any  `json:"actions"`
	}{b.Key, b.Description, []any{}}
	for _, a := range b.Actions {
		if detail == Names {
			short.Actions = append(short.Actions, a.Name)
			continue
		}
		short.Actions = append(short.Actions, action{a.Tool, a.Summary, a.Signature(), a.Effect})
	}
	return short
}
