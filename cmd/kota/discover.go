package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/catalog"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/signin"
	"kota/entrypoint"
	"kota/entrypoint/discovery"
	"kota/metadata"
)

type discoverFlags struct {
	bundle, category, effect, detail, cursor string
	tags                                     []string
	limit                                    int
	all, json, explain                       bool
	catalogs                                 []string
}

func newDiscover(a *app.App) *cobra.Command {
	var f discoverFlags
	cmd := &cobra.Command{
		Use:   "discover [QUERY ...]",
		Short: "Browse the bundles, or find actions by what they do",
		Long: `Browse the bundles, or find actions by what they do. Ask in English, Dutch,
French, German, Italian or Spanish.

--explain shows a table of the actions that the search offers, and of better
matches that it does not offer:

  score     Higher is better, within one answer.
  offered   Yes, or why not. off: its bundle is off. hidden: the profile hides it.
            lacks: it needs a sign-in or a permission. no: it does not fit.
  found by  exact: its name or bundle. word: its words, phrases or synonyms. spelling: the
            same, misspelt. abbreviation: its name, abbreviated. request: earlier
            requests like this one. meaning: search by meaning.
  words     How well its words and phrases fit; 1 is the best of all actions.
  request   The probability that requests like this one are for the action.
  part      The part of the query that the evidence is about.

A dash is evidence that the search did not need.

--catalog searches what other MCP servers answer to tools/list. It uses neither
the classifier of requests nor search.model.`,
		Example: `  kota discover
  kota discover remember what I like
  kota discover --bundle gmail --effect sends answer a mail
  kota discover --detail full select:memory_set,memory.get
  kota discover --explain who has not answered
  kota discover --catalog tools.json --limit 3 --json "read a file"
  kota discover --catalog github.json --catalog files.json search`,
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if most := f.maxLimit(); f.limit < 1 || f.limit > most {
				return mistake.Errorf("--limit takes a number from 1 to %d", most)
			}
			if err := f.check(); err != nil {
				return err
			}
			if f.explain {
				if err := f.checkExplain(query); err != nil {
					return err
				}
			}
			if len(f.catalogs) > 0 {
				found, err := catalog.Search(cmd.Context(), f.catalogs, a.Stdin, query, f.limit)
				if err != nil {
					return err
				}
				if f.json {
					return a.PrintJSON(found)
				}
				found.Print(a.Stdout)
				return nil
			}
			return discoverActions(a, cmd, f, query)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.bundle, "bundle", "", "the key of a bundle")
	flags.StringVar(&f.category, "category", "", "core or optional")
	flags.StringVar(&f.effect, "effect", "", "reads, writes, destroys or sends")
	flags.StringSliceVar(&f.tags, "tags", nil, "any of these tags")
	flags.StringVar(&f.detail, "detail", "", "names, signatures or full (default: the name and what it does)")
	flags.IntVar(&f.limit, "limit", 5, "the maximum number of actions, 1 to 50 (10,000 with --catalog)")
	flags.StringVar(&f.cursor, "cursor", "", "next_cursor of the last answer")
	flags.BoolVar(&f.all, "all", false, "also search bundles that are off")
	flags.BoolVar(&f.explain, "explain", false, "show which evidence found each action, in a table")
	flags.BoolVar(&f.json, "json", false, "print the answer of kota_discover_bundles, or of --explain, as JSON")
	flags.StringArrayVar(&f.catalogs, "catalog", nil, "search the MCP tool definitions in this `file` instead; - is stdin; repeat it for each further server")
	completeBy(cmd, "bundle", func(cmd *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		return completeActions(a)(cmd, nil, start)
	})
	completeBy(cmd, "tags", completeTags(a))
	complete(cmd, "detail", details...)
	complete(cmd, "category", metadata.Core, metadata.Optional)
	complete(cmd, "effect", effects...)
	return cmd
}

// effects are the values of --effect, and details those of --detail for
// searches. `kota discover` also accepts the values in descriptionLevels.
var (
	effects = []string{"reads", "writes", "destroys", "sends"}
	details = []string{"names", "signatures", "full"}
)

// check returns a usage error if a flag has a value that is not allowed, or has
// no effect with --catalog.
func (f discoverFlags) check() error {
	if slices.Contains(descriptionLevels, f.detail) {
		f.detail = ""
	}
	for _, flag := range []struct {
		name, value string
		allowed     []string
	}{{"effect", f.effect, effects}, {"detail", f.detail, details}, {"category", f.category, []string{metadata.Core, metadata.Optional}}} {
		if err := oneOf(flag.name, flag.value, flag.allowed); err != nil {
			return err
		}
	}
	switch {
	case len(f.catalogs) == 0:
		return nil
	case f.explain:
		return mistake.Errorf("--explain works on KOTA's own actions only; leave it out with --catalog")
	case f.bundle+f.category+f.effect+f.detail+f.cursor != "" || len(f.tags) > 0 || f.all:
		return mistake.Errorf("--catalog takes a query, --limit and --json; the other flags are for KOTA's own actions")
	}
	return nil
}

// checkExplain returns a usage error if --explain cannot be used with the query
// or another flag.
func (f discoverFlags) checkExplain(query string) error {
	switch {
	case query == "":
		return mistake.Errorf("--explain needs a query")
	case f.detail != "":
		return mistake.Errorf("--explain shows a table; leave --detail out")
	case f.cursor != "":
		return mistake.Errorf("--explain shows only the first page; leave --cursor out, or raise --limit")
	}
	return nil
}

// oneOf returns a usage error unless the flag is absent or has one of the
// allowed values.
func oneOf(flag, value string, allowed []string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return mistake.Errorf("--%s takes %s, not %q", flag, joinOr(allowed), value)
}

// joinOr returns "core or optional", or "a, b or c".
func joinOr(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// maxLimit returns the largest allowed --limit. It is larger for the catalogue
// of another server, whose tools may all be wanted.
func (f discoverFlags) maxLimit() int {
	if len(f.catalogs) > 0 {
		return 10_000
	}
	return 50
}

func discoverActions(a *app.App, cmd *cobra.Command, f discoverFlags, query string) error {
	router, err := a.Router()
	if err != nil {
		return err
	}
	in := map[string]any{"limit": f.limit, "enabled_only": !f.all}
	for key, value := range map[string]string{
		"query": query, "bundle": f.bundle, "category": f.category, "effect": f.effect, "detail": f.detail, "cursor": f.cursor,
	} {
		if value != "" {
			in[key] = value
		}
	}
	if len(f.tags) > 0 {
		in["tags"] = f.tags
	}
	args, err := json.Marshal(in)
	if err != nil {
		return err
	}
	out, _, err := router.Answer(cmd.Context(), &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: "kota_discover_bundles", Args: args})
	if err != nil {
		return flagMistake(err)
	}
	found := out.(discovery.Findings)
	if f.explain {
		return printExplained(a, found, f.json)
	}
	if f.json {
		return a.PrintJSON(out)
	}
	off := addSummaries(a, found.Actions)
	if len(off) > 0 && len(off) == len(found.Bundles) { // nothing that was found can be called
		found.Next = ""
	}
	if names, bundle := bestOff(a, found.Explained); len(names) > 0 && !f.all {
		matches := strings.Join(names, ", ")
		switch {
		case len(found.Actions) == 0 && f.bundle != "":
			found.Hidden, found.Next = fmt.Sprintf("Off, but matching: %s; the user can run kota bundles enable %s", matches, bundle), ""
		case found.Hidden != "":
			found.Hidden = signin.Capitalize(offHint.ReplaceAllLiteralString(found.Hidden, fmt.Sprintf("better matches are off: %s; the user can run kota bundles enable %s", matches, bundle)))
		}
	}
	if err := printDiscovery(a, found, f.detail); err != nil || len(off) == 0 {
		return err
	}
	return a.PrintAdvised(a.Stdout, "Off: %s. Run `kota bundles enable %s` before you call its actions.\n", strings.Join(off, ", "), off[0])
}

// flagMistake returns a usage error if the error is about the value of a flag, and otherwise the
// error.
func flagMistake(err error) error {
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || len(e.Problems) == 0 {
		return err
	}
	if flag := e.Problems[0].Path; flag == "bundle" || flag == "cursor" {
		message := e.Message
		if near := e.Problems[0].Suggestion; near != "" {
			message += fmt.Sprintf(" (did you mean %s?)", near)
		}
		return mistake.Errorf("--%s: %s\n%s", flag, message, shellHint(e.Hint))
	}
	return err
}

// addSummaries adds the summary to each action that has neither a brief nor a
// spec. It returns the keys of the bundles that are off and have an action in
// found.
func addSummaries(a *app.App, found []discovery.ActionLine) (off []string) {
	for i, line := range found {
		for _, b := range a.Bundles() {
			j := slices.IndexFunc(b.Actions, func(action bundles.Action) bool { return action.Tool == line.Tool })
			if j < 0 {
				continue
			}
			if line.Brief+line.Spec == "" {
				found[i].Summary = b.Actions[j].Summary
			}
			if !a.Config.Bundles[b.Key].Enabled && !slices.Contains(off, b.Key) {
				off = append(off, b.Key)
			}
		}
	}
	return off
}

// bestOff returns the best hits, at most three, and their bundle if that is off.
// It returns no names if the best hit is on.
func bestOff(a *app.App, hits []discovery.Explanation) (names []string, bundle string) {
	bundleOf := map[string]string{}
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			bundleOf[action.Tool] = b.Key
		}
	}
	for _, h := range hits {
		if h.Offered != discovery.OfferedOff || bundleOf[h.Tool] != bundleOf[hits[0].Tool] || len(names) == 3 {
			break
		}
		names, bundle = append(names, h.Tool), bundleOf[h.Tool]
	}
	return names, bundle
}

// printDiscovery prints an answer for people. It lists the actions with the
// requested detail. If there are none, it lists the bundles.
func printDiscovery(a *app.App, d discovery.Findings, detail string) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, action := range d.Actions {
		switch {
		case action.Brief+action.Spec != "":
			fmt.Fprintln(w, action.Brief+shellSchema(action.Spec))
		case detail != "" && action.Signature != "":
			fmt.Fprintf(w, "%s\t%s\n  %s\n", action.Tool, action.Summary, action.Signature)
		default:
			fmt.Fprintf(w, "%s\t%s\n", action.Tool, action.Summary)
		}
	}
	for _, m := range d.Missing {
		fmt.Fprintf(w, "%s\t%s\n", m.Name, m.Reason)
	}
	for _, b := range d.Bundles {
		switch {
		case len(d.Actions) > 0:
		case d.Index != nil:
			fmt.Fprintf(w, "%s\t%s\n", b.Key, d.Index[b.Key])
		default:
			count := metadata.CountOf(b.ActionCount, "action")
			if !b.Enabled {
				count += ", off"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", b.Key, count, b.Description)
		}
	}
	fmt.Fprintln(w)
	if d.Hidden != "" {
		a.PrintAdvised(w, "%s\n", shellHint(d.Hidden))
	}
	if d.Note != "" {
		a.PrintAdvised(w, "%s\n", d.Note)
	}
	if d.Next != "" {
		a.PrintAdvised(w, "%s\n", shellHint(d.Next))
	}
	for _, b := range d.Bundles {
		if len(d.Actions) > 0 && b.Enabled && b.Unavailable != "" {
			a.PrintAdvised(w, "%s: %s.\n", b.Key, b.Unavailable)
		}
	}
	if d.NextCursor != "" {
		fmt.Fprintf(w, "More: --cursor %s\n", d.NextCursor)
	}
	return w.Flush()
}

// printExplained prints the evidence for each hit of a query, in the order of
// hits.
func printExplained(a *app.App, found discovery.Findings, asJSON bool) error {
	if found.Explained == nil {
		return mistake.Errorf("KOTA answers this query without a search, so there is nothing to explain")
	}
	if asJSON {
		return a.PrintJSON(struct {
			Explained []discovery.Explanation `json:"explained"`
			Note      string                  `json:"note,omitempty"`
		}{found.Explained, found.Note})
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	if len(found.Explained) == 0 {
		fmt.Fprintln(w, "Nothing in this query fits an action: no name, no word, and the classifier finds nothing.")
	} else {
		fmt.Fprintln(w, "action\tscore\toffered\tfound by\twords\trequest\tpart")
	}
	for _, e := range found.Explained {
		words, request := "-", "-"
		if e.Words > 0 || e.Request > 0 {
			words, request = fmt.Sprintf("%.2f", e.Words), fmt.Sprintf("%.3f", e.Request)
		}
		fmt.Fprintf(w, "%s\t%.2f\t%s\t%s\t%s\t%s\t%s\n", e.Tool, e.Score, e.Offered, e.Why, words, request, cmp.Or(e.Clause, "all"))
	}
	if strings.HasPrefix(found.Next, discovery.NextOtherScript) {
		fmt.Fprintln(w, "Ask in English, Dutch, French, German, Italian or Spanish.")
	}
	if found.Note != "" {
		a.PrintAdvised(w, "\n%s\n", found.Note)
	}
	return w.Flush()
}
