// Package costs reports what the tools cost a model, in estimated tokens. It
// counts the listing in each mode and the recorded uses. Begin with PriceTools
// and CountUsage.
package costs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
	"kota/store"
)

// UsageReport is what `kota stats` shows, and its JSON.
type UsageReport struct {
	From      string         `json:"from"`     // the first day
	To        string         `json:"to"`       // the last day: today
	Counting  bool           `json:"counting"` // whether uses are counted now
	Actions   []toolUse      `json:"actions"`  // most called first
	Totals    useCounts      `json:"totals"`
	Listing   listingPrice   `json:"listing"`
	Discovery discoveryCosts `json:"discovery"`
}

type toolUse struct {
	Tool string `json:"tool_name"` // "" for all unknown names
	useCounts
}

// useCounts counts how often a tool was found, described and called.
type useCounts struct {
	Discovered int64            `json:"discovered"`
	Described  int64            `json:"described"`
	Calls      int64            `json:"calls"` // the sum of the four channels below
	Direct     int64            `json:"direct"`
	EntryPoint int64            `json:"entry_point"`
	Read       int64            `json:"read"`
	CLI        int64            `json:"cli"`
	Errors     map[string]int64 `json:"errors,omitempty"` // failed calls by code
	TokensIn   int64            `json:"tokens_in"`
	TokensOut  int64            `json:"tokens_out"`
}

func (u *useCounts) add(row store.UsageCount) {
	switch entrypoint.Channel(row.Channel) {
	case entrypoint.ByDiscover:
		u.Discovered += row.Count
		return
	case entrypoint.ByDescribe:
		u.Described += row.Count
		return
	case entrypoint.ByName:
		u.Direct += row.Count
	case entrypoint.ByEntryPoint:
		u.EntryPoint += row.Count
	case entrypoint.ByRead:
		u.Read += row.Count
	case entrypoint.ByCLI:
		u.CLI += row.Count
	}
	u.Calls += row.Count
	u.TokensIn += row.TokensIn
	u.TokensOut += row.TokensOut
	if row.Code != "" {
		if u.Errors == nil {
			u.Errors = map[string]int64{}
		}
		u.Errors[row.Code] += row.Count
	}
}

func usageByTool(used []store.UsageCount) []toolUse {
	byTool := map[string]*toolUse{}
	for _, row := range used {
		if byTool[row.Tool] == nil {
			byTool[row.Tool] = &toolUse{Tool: row.Tool}
		}
		byTool[row.Tool].add(row)
	}
	tools := []toolUse{}
	for _, tool := range byTool {
		tools = append(tools, *tool)
	}
	slices.SortFunc(tools, func(a, b toolUse) int {
		if a.Calls != b.Calls {
			return int(b.Calls - a.Calls)
		}
		return strings.Compare(a.Tool, b.Tool)
	})
	return tools
}

// listingPrice is what tools/list costs at the start of every conversation, in
// estimated tokens.
type listingPrice struct {
	Expose mcpserver.Expose `json:"expose"`
	Tokens int              `json:"tokens"`
	All    int              `json:"all_tokens"` // under `expose: all`
	Saved  int              `json:"saved_tokens"`
}

func priceListing(ctx context.Context, a *app.App, router *entrypoint.Router) listingPrice {
	o := a.ServerOptions(ctx, a.Config.Expose)
	p := listingPrice{Expose: o.Expose, Tokens: mcpserver.EstimateListing(router, o), All: mcpserver.EstimateListing(router, mcpserver.Options{Expose: mcpserver.ExposeAll})}
	p.Saved = p.All - p.Tokens
	return p
}

// discoveryCosts are what searches and descriptions of actions have cost. A
// short listing makes them necessary.
type discoveryCosts struct {
	Calls  int64 `json:"calls"`
	Tokens int64 `json:"tokens"`

	// BreakEven is how many such calls a conversation can make before listing
	// everything is cheaper. It is 0 if there were no calls or nothing is
	// saved.
	BreakEven int64 `json:"break_even_calls,omitempty"`
}

func discoveryPrice(used []store.UsageCount, saved int) discoveryCosts {
	costs := discoveryCosts{}
	for _, row := range used {
		if row.Tool == "kota_discover_bundles" || row.Tool == "kota_describe_bundle" {
			costs.Calls += row.Count
			costs.Tokens += row.TokensIn + row.TokensOut
		}
	}
	if costs.Tokens > 0 {
		costs.BreakEven = int64(saved) * costs.Calls / costs.Tokens
	}
	return costs
}

// PrintUsage prints a report for people.
func PrintUsage(a *app.App, r UsageReport) error {
	if len(r.Actions) == 0 {
		fmt.Fprintf(a.Stdout, "There are no counts from %s to %s.\n", r.From, r.To)
	} else {
		fmt.Fprintf(a.Stdout, "From %s to %s:\n\n", r.From, r.To)
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ACTION\tFOUND\tDESCRIBED\tCALLS\tDIRECT\tENTRY POINT\tREAD\tCLI\tTOKENS IN\tOUT\tERRORS")
		for _, tool := range r.Actions {
			name := tool.Tool
			if name == "" {
				name = "(no such tool)"
			}
			tool.print(w, name)
		}
		r.Totals.print(w, "all")
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if !r.Counting {
		why := "bundles.yaml says `usage: off`"
		if a.Config.Usage {
			why = fmt.Sprintf("the profile %q only reads", a.Config.Profile)
		}
		fmt.Fprintf(a.Stdout, "\nCounting is off: %s.\n", why)
	}
	_, err := fmt.Fprintf(a.Stdout, "\n%s", r.costText())
	return err
}

func (u useCounts) print(w *tabwriter.Writer, name string) {
	failed := []string{}
	for _, code := range slices.Sorted(maps.Keys(u.Errors)) {
		failed = append(failed, fmt.Sprintf("%d %s", u.Errors[code], code))
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", name, u.Discovered, u.Described, u.Calls,
		u.Direct, u.EntryPoint, u.Read, u.CLI, u.TokensIn, u.TokensOut, strings.Join(failed, ", "))
}

// costText says in sentences what the listing and the searches cost.
func (r UsageReport) costText() string {
	l, d := r.Listing, r.Discovery
	text := fmt.Sprintf("Listing the tools costs about %d tokens in each conversation (expose: %s)", l.Tokens, l.Expose)
	if l.Saved > 0 {
		text += fmt.Sprintf(", %d less than listing all", l.Saved)
	}
	text += ".\n"
	if d.Calls > 0 {
		calls := "1 search or description"
		if d.Calls > 1 {
			calls = fmt.Sprintf("%d searches and descriptions", d.Calls)
		}
		text += fmt.Sprintf("%s used about %d tokens.", calls, d.Tokens)
		if d.BreakEven > 0 {
			text += fmt.Sprintf(" After %d of them in a conversation, listing all tools is cheaper.", d.BreakEven)
		}
		text += "\n"
	}
	return text
}

// CountUsage adds up the uses in the given number of days, of which today is the last. It also
// counts the tokens of the listing.
func CountUsage(ctx context.Context, a *app.App, router *entrypoint.Router, days int) (UsageReport, error) {
	report, used, err := countUses(ctx, a, days)
	if err != nil {
		return UsageReport{}, err
	}
	report.Listing = priceListing(ctx, a, router)
	report.Discovery = discoveryPrice(used, report.Listing.Saved)
	return report, nil
}

// CountUses adds up the uses as CountUsage does, but leaves out what the listing and searches cost.
func CountUses(ctx context.Context, a *app.App, days int) (UsageReport, error) {
	report, _, err := countUses(ctx, a, days)
	return report, err
}

func countUses(ctx context.Context, a *app.App, days int) (UsageReport, []store.UsageCount, error) {
	now := a.LocalNow()
	from, before := now.AddDate(0, 0, 1-days).Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
	used, err := a.UsedBetween(ctx, from, before)
	if err != nil {
		return UsageReport{}, nil, err
	}
	report := UsageReport{From: from, To: a.Today(), Counting: a.CountsUsage(), Actions: usageByTool(used)}
	for _, row := range used {
		report.Totals.add(row)
	}
	return report, used, nil
}
