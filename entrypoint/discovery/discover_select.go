package discovery

import (
	"slices"
	"strings"

	"kota/metadata"
)

// selection reads the names in a query such as "select:memory_set,calendar.create_event".
// It reports whether the query has that form.
func selection(query string) (names []string, selecting bool) {
	form, list, _ := strings.Cut(query, ":")
	if !strings.EqualFold(strings.TrimSpace(form), "select") {
		return nil, false
	}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, true
}

// answerSelection shows exactly the named actions, in the order of the names. A name may be in
// any case and with any separators. Names that KOTA cannot show are listed with the reason.
func (c *Catalogue) answerSelection(in discoverIn, names []string) Findings {
	if len(names) == 0 {
		return c.noMatch(in, nil)
	}
	var out Findings
	var shown []catalogueAction
	for _, name := range names {
		a, reason := c.selectAction(in, name)
		if reason != "" {
			out.Missing = append(out.Missing, MissingAction{Name: metadata.Shorten(name), Reason: reason})
			continue
		}
		if !contains(shown, a.Tool) {
			shown = append(shown, a)
		}
	}
	if len(shown) == 0 {
		missing := out.Missing
		in.Query = ""
		out = c.noMatch(in, nil)
		out.Missing = missing
		return out
	}
	c.show(&out, in, shown, len(shown))
	return out
}

// contains reports whether one of the actions has the name.
func contains(actions []catalogueAction, tool string) bool {
	return slices.ContainsFunc(actions, func(a catalogueAction) bool { return a.Tool == tool })
}

// selectAction returns the action with this name, or the reason why KOTA cannot show it.
func (c *Catalogue) selectAction(in discoverIn, name string) (picked catalogueAction, reason string) {
	named := c.index().Named(name)
	var fitting []string
	for _, entry := range named {
		if a := c.all[entry]; in.matchesFilters(a) && c.callable(entry, in) {
			picked = a
			fitting = append(fitting, a.Tool)
		}
	}
	switch {
	case len(fitting) == 1:
		return picked, ""
	case len(fitting) > 1:
		return catalogueAction{}, "the name is ambiguous: it may be " + strings.Join(fitting, ", ")
	case len(named) == 0:
		return catalogueAction{}, c.unknownReason(name)
	}
	a := c.all[named[0]]
	switch {
	case !in.matchesFilters(a):
		return catalogueAction{}, "the filters exclude it"
	case !a.bundle.Enabled:
		return catalogueAction{}, "its bundle is off; the user can run kota bundles enable " + a.bundle.Key
	}
	if err := c.hiddenError(metadata.NotFound, a.Tool, func(h hiddenAction) bool { return h.Tool == a.Tool }); err != nil {
		return catalogueAction{}, messageAndHint(err)
	}
	return catalogueAction{}, c.policy.WithheldError(*a.Action).Error()
}

// unknownReason returns that the action does not exist, and the tool with the nearest name.
func (c *Catalogue) unknownReason(name string) string {
	var tools []string
	for _, a := range c.actions {
		if !maySuggest(name, *a.Action) {
			continue
		}
		if _, ok := a.Aliased(name); ok {
			return "there is no such action; the nearest is " + a.Tool
		}
		tools = append(tools, a.Tool)
	}
	reason := "there is no such action"
	if near := metadata.Nearest(name, tools, 1); len(near) > 0 {
		reason += "; the nearest is " + near[0]
	}
	return reason
}
