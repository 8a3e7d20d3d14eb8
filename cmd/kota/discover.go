package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
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
	catalog                                  string
}

func newDiscover(a *app.App) *cobra.Command {
	var f discoverFlags
	cmd := &cobra.Command{
		Use:   "discover [QUERY ...]",
		Short: "Browse the bundles, or find actions by what they do",
		Long: `Browse the bundles, or find actions by what they do.

--explain shows why an action was found. "words" says how well its words and
phrases fit: 1 is the best of all actions. "request" is the probability that
requests like this one are for the action. The last column is the part of the
query that the evidence is about. Actions that do not fit are not offered.`,
		Example: `  kota discover
  kota discover remember what I like
  kota discover --bundle gmail --effect sends answer a mail
  kota discover --detail full select:memory_set,memory.get
  kota discover --explain who has not answered
  kota discover --catalog tools.json --limit 3 --json "read a file"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if most := f.maxLimit(); f.limit < 1 || f.limit > most {
				return mistake.Errorf("--limit takes a number from 1 to %d", most)
			}
			if err := f.check(); err != nil {
				return err
			}
			if f.explain && query == "" {
				return mistake.Errorf("--explain needs a query")
			}
			if f.catalog != "" {
				found, err := catalog.Search(cmd.Context(), f.catalog, query, f.limit)
				if err != nil {
					return err
				}
				if f.json {
					return a.PrintJSON(found)
				}
				found.Print(a.Stdout, f.catalog)
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
	flags.BoolVar(&f.json, "json", false, "print the answer of kota_discover_bundles")
	flags.StringVar(&f.catalog, "catalog", "", "search the MCP tool definitions in this file instead")
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
	for _, flag := range []struct {
		name, value string
		allowed     []string
	}{{"effect", f.effect, effects}, {"detail", f.detail, slices.Concat(details, descriptionLevels)}, {"category", f.category, []string{metadata.Core, metadata.Optional}}} {
		if err := oneOf(flag.name, flag.value, flag.allowed); err != nil {
			return err
		}
	}
	if f.catalog != "" && (f.bundle+f.category+f.effect+f.detail+f.cursor != "" || len(f.tags) > 0 || f.all || f.explain) {
		return mistake.Errorf("--catalog takes a query, --limit and --json; the filters are for KOTA's own actions")
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
	if f.catalog != "" {
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
		return err
	}
	if f.json {
		return a.PrintJSON(out)
	}
	found := out.(discovery.Findings)
	if f.explain {
		return printExplained(a.Stdout, found.Explained)
	}
	off := addSummaries(a, found.Actions)
	if len(off) > 0 && len(off) == len(found.Bundles) { // nothing that was found can be called
		found.Next = ""
	}
	if better := betterOff(a, found.Explained); better != "" && found.Hidden != "" && !f.all {
		found.Hidden = signin.Capitalize(offHint.ReplaceAllLiteralString(found.Hidden, better))
	}
	if err := printDiscovery(a, found, f.detail); err != nil || len(off) == 0 {
		return err
	}
	return a.PrintAdvised(a.Stdout, "Off: %s. Run `kota bundles enable %s` before you call its actions.\n", strings.Join(off, ", "), off[0])
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

// betterOff names the best hits, at most three, if the best belongs to a bundle
// that is off. It returns "" if the best hit is on.
func betterOff(a *app.App, hits []discovery.Explanation) string {
	bundleOf := map[string]string{}
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			bundleOf[action.Tool] = b.Key
		}
	}
	names := []string{}
	for _, h := range hits {
		bundle := bundleOf[h.Tool]
		if !h.Fits || bundle == "" || a.Config.Bundles[bundle].Enabled || bundle != bundleOf[hits[0].Tool] || len(names) == 3 {
			break
		}
		names = append(names, h.Tool)
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("better matches are off: %s; the user can run kota bundles enable %s", strings.Join(names, ", "), bundleOf[names[0]])
}

// printDiscovery prints an answer for people. It lists the actions with the
// requested detail. If there are none, it lists the bundles.
func printDiscovery(a *app.App, d discovery.Findings, detail string) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, action := range d.Actions {
		switch {
		case action.Brief+action.Spec != "":
			fmt.Fprintln(w, action.Brief+action.Spec)
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
			fmt.Fprintf(w, "%s\t%s\t%s\n", b.Key, metadata.CountOf(b.ActionCount, "action"), b.Description)
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
	if d.NextCursor != "" {
		fmt.Fprintf(w, "More: --cursor %s\n", d.NextCursor)
	}
	return w.Flush()
}

// printExplained prints the evidence for each hit of a query, in the order of
// hits.
func printExplained(out io.Writer, hits []discovery.Explanation) error {
	if len(hits) == 0 {
		fmt.Fprintln(out, "Nothing matches by words, by name or by earlier requests.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "action\tscore\tfits\tfound by\twords\trequest\tpart of the query")
	for _, h := range hits {
		fits := "no"
		if h.Fits {
			fits = "yes"
		}
		e := h.Evidence
		fmt.Fprintf(w, "%s\t%.2f\t%s\t%s\t%.2f\t%.3f\t%s\n", h.Tool, h.Score, fits, h.MatchKind, e.Words, e.Request, cmp.Or(e.Clause, "all"))
	}
	return w.Flush()
}

// shellHint returns a hint for callers of the tools, reworded for the command
// line.
func shellHint(hint string) string {
	hint = enableHint.ReplaceAllString(hint, "run `$1`, or add --all to see them")
	return strings.NewReplacer(
		"Search with query, or kota_describe_bundle {bundle, detail: \"brief\"}", "Search with `kota discover WORDS`, or read up with `kota describe BUNDLE --detail brief`",
		"Call tool_name", "Call one with `kota call TOOL`",
	).Replace(hint)
}

// offHint and enableHint match what a tool says about bundles that are off.
var (
	offHint    = regexp.MustCompile(`\d+ more in bundles that are off .*$`)
	enableHint = regexp.MustCompile(`the user can run (kota bundles enable \S+)$`)
)
