package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kota/entrypoint"
	"kota/metadata"
)

type discoverFlags struct {
	bundle, category, effect, detail, cursor string
	tags                                     []string
	limit                                    int
	all, json                                bool
	catalog                                  string
}

func newDiscover(a *app) *cobra.Command {
	var f discoverFlags
	cmd := &cobra.Command{
		Use:   "discover [QUERY ...]",
		Short: "Browse the bundles, or find actions by what they do",
		Example: `  kota discover
  kota discover remember what I like
  kota discover --bundle gmail --effect sends answer a mail
  kota discover --detail full select:memory_set,memory.get
  kota discover --catalog tools.json --limit 3 --json "read a file"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if most := f.mostActions(); f.limit < 1 || f.limit > most {
				return usagef("--limit takes a number from 1 to %d", most)
			}
			if f.catalog != "" {
				return a.discoverForeign(f, query)
			}
			return a.discoverOwn(cmd, f, query)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.bundle, "bundle", "", "the key of a bundle")
	flags.StringVar(&f.category, "category", "", "core or optional")
	flags.StringVar(&f.effect, "effect", "", "reads, writes, destroys or sends")
	flags.StringSliceVar(&f.tags, "tags", nil, "any of these tags")
	flags.StringVar(&f.detail, "detail", "", "names, signatures or full")
	flags.IntVar(&f.limit, "limit", 5, "how many actions, 1 to 50 (10,000 with --catalog)")
	flags.StringVar(&f.cursor, "cursor", "", "next_cursor of the last answer")
	flags.BoolVar(&f.all, "all", false, "bundles that are off as well")
	flags.BoolVar(&f.json, "json", false, "print the answer of kota_discover_bundles")
	flags.StringVar(&f.catalog, "catalog", "", "search the MCP tool definitions in this file instead")
	complete(cmd, "bundle", a.bundleKeys()...)
	complete(cmd, "detail", "names", "signatures", "full")
	complete(cmd, "category", metadata.Core, metadata.Optional)
	complete(cmd, "effect", "reads", "writes", "destroys", "sends")
	return cmd
}

// mostActions is the largest --limit: what an answer of ours may hold, or for
// a foreign catalogue as many as anybody has.
func (f discoverFlags) mostActions() int {
	if f.catalog != "" {
		return 10_000
	}
	return 50
}

func (a *app) discoverOwn(cmd *cobra.Command, f discoverFlags, query string) error {
	router, err := a.router()
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
	out, _, err := router.Answer(cmd.Context(), entrypoint.ByCLI, "kota_discover_bundles", args)
	if err != nil {
		return err
	}
	if f.json {
		return a.printJSON(out)
	}
	return a.printDiscovery(out.(entrypoint.Discovery), f.detail)
}

// printDiscovery writes an answer for people: the actions with what detail asks
// for, or the bundles, or the names of everything when nothing fits.
func (a *app) printDiscovery(d entrypoint.Discovery, detail string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
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
		fmt.Fprintf(w, "%s\t%s\n", m.Name, m.Why)
	}
	for _, b := range d.Bundles {
		switch {
		case len(d.Actions) > 0:
		case d.Index != nil:
			fmt.Fprintf(w, "%s\t%s\n", b.Key, d.Index[b.Key])
		default:
			fmt.Fprintf(w, "%s\t%d actions\t%s\n", b.Key, b.ActionCount, b.Description)
		}
	}
	fmt.Fprintln(w)
	if d.Hidden != "" {
		fmt.Fprintf(w, "%s\n", d.Hidden)
	}
	if d.Note != "" {
		fmt.Fprintf(w, "%s\n", d.Note)
	}
	fmt.Fprintf(w, "%s\n", d.Next)
	return w.Flush()
}

// A foreignAnswer has the shape of our own, for catalogues that are not ours.
type foreignAnswer struct {
	Actions []foreignAction `json:"actions"`
}

type foreignAction struct {
	Tool      string  `json:"tool_name"`
	Summary   string  `json:"summary,omitempty"`
	Signature string  `json:"signature"`
	Score     float64 `json:"score"`
	Why       string  `json:"why"`
}

// discoverForeign searches a file of MCP tool definitions with the engine that
// serves the kota tools.
func (a *app) discoverForeign(f discoverFlags, query string) error {
	if strings.TrimSpace(query) == "" {
		return usagef("--catalog needs a query")
	}
	raw, err := readCatalogue(f.catalog)
	if err != nil {
		return err
	}
	entries, schemas, err := metadata.ParseCatalogue(raw)
	if err != nil {
		return usagef("%s: %s", f.catalog, plainly(err))
	}
	answer := foreignAnswer{Actions: []foreignAction{}}
	for _, hit := range metadata.NewIndex(entries).Search(query, f.limit) {
		e := entries[hit.Entry]
		signature, err := foreignSignature(e.Tool, schemas[hit.Entry])
		if err != nil {
			return usagef("%s: tool %q: %s", f.catalog, e.Tool, plainly(err))
		}
		answer.Actions = append(answer.Actions, foreignAction{
			Tool: e.Tool, Summary: e.Summary, Score: hit.Score, Why: hit.Why,
			Signature: signature,
		})
	}
	if f.json {
		return a.printJSON(answer)
	}
	for _, action := range answer.Actions {
		fmt.Fprintf(a.stdout, "%.2f  %s\n", action.Score, action.Signature)
	}
	return nil
}

// plainly is what an error says to people: without the code that is for
// programs, with its hint.
func plainly(err error) string {
	var answer *metadata.Error
	if !errors.As(err, &answer) {
		return err.Error()
	}
	if answer.Hint == "" {
		return answer.Message
	}
	return answer.Message + "; " + answer.Hint
}

// foreignSignature is that of a tool of somebody else's, which may have no
// schema at all.
func foreignSignature(tool string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return tool + "()", nil
	}
	schema, err := metadata.ParseSchema(raw)
	if err != nil {
		return "", err
	}
	return metadata.Signature(tool, schema), nil
}

// readCatalogue reads a file of at most 64 MiB.
func readCatalogue(path string) ([]byte, error) {
	const most = 64 << 20
	file, err := os.Open(path)
	if err != nil {
		return nil, usagef("%v", err) // it names the act and the file
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, usagef("%v", err)
	}
	if len(raw) > most {
		return nil, usagef("%s is larger than %d MiB", path, most>>20)
	}
	return raw, nil
}
