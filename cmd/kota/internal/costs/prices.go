package costs

import (
	"context"
	"fmt"
	"text/tabwriter"

	"kota/cmd/kota/internal/app"
	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
)

// Modes are the ways to list the tools, the fullest first.
var Modes = []mcpserver.Expose{mcpserver.ExposeAll, mcpserver.ExposeAuto, mcpserver.ExposeCore, mcpserver.ExposeDiscovery}

// estimateNote says how the tokens are estimated. A test checks that the
// estimate is within 25 %.
const estimateNote = "Tokens are estimated: four bytes each, within 25 % of what o200k counts."

// TokenReport is what `kota tokens` shows, and its JSON.
type TokenReport struct {
	Estimate string                   `json:"estimate"`
	Turn     entrypoint.DiscoveryCost `json:"turn"`
	Modes    []modePrice              `json:"modes"`
	Bundles  []bundlePrice            `json:"bundles"`
	Tools    []mcpserver.ToolCost     `json:"tools"` // as listed under expose: all
}

// modePrice is what tools/list costs in one mode. BreakEvenSearches is how many
// searches cost as much as the mode saves. BreakEvenDescribed counts searches
// that are each followed by a description. Both are 0 if nothing is saved.
type modePrice struct {
	Expose             mcpserver.Expose `json:"expose"`
	Current            bool             `json:"current"` // the mode in bundles.yaml
	Tools              int              `json:"tools"`
	Tokens             int              `json:"tokens"`
	Saved              int              `json:"saved_tokens"` // compared with expose: all
	BreakEvenSearches  int              `json:"break_even_finds"`
	BreakEvenDescribed int              `json:"break_even_finds_read_up"`
}

// bundlePrice is the sum over the tools of a bundle.
type bundlePrice struct {
	Bundle string `json:"bundle"`
	Tools  int    `json:"tools"`
	Listed int    `json:"listed_tokens"`
	Brief  int    `json:"level_1_tokens"` // as search results
	Spec   int    `json:"level_2_tokens"` // as descriptions
}

// PriceTools counts the tokens of each mode, bundle and tool.
func PriceTools(ctx context.Context, a *app.App, router *entrypoint.Router) (TokenReport, error) {
	turn, err := router.EstimateCost(ctx)
	if err != nil {
		return TokenReport{}, err
	}
	report := TokenReport{Estimate: estimateNote, Turn: turn, Tools: mcpserver.ToolCosts(router, a.ServerOptions(ctx, mcpserver.ExposeAll))}
	all := 0
	for _, tool := range report.Tools {
		all += tool.Listed
	}
	for _, expose := range Modes {
		o := a.ServerOptions(ctx, expose)
		m := modePrice{Expose: expose, Current: expose == a.Config.Expose, Tools: len(mcpserver.Listing(router, o)), Tokens: mcpserver.EstimateListing(router, o)}
		m.Saved = all - m.Tokens
		m.BreakEvenSearches = breakEven(m.Saved, turn.Find)
		m.BreakEvenDescribed = breakEven(m.Saved, turn.Find+turn.Describe)
		report.Modes = append(report.Modes, m)
	}
	report.Bundles = perBundle(report.Tools)
	return report, nil
}

// breakEven returns how many searches cost as much as the saved tokens, rounded
// down, if each search costs price tokens. It returns 0 if price is 0.
func breakEven(saved, price int) int {
	if price == 0 {
		return 0
	}
	return saved / price
}

// perBundle adds up the tools of each bundle. The tools of a bundle must be
// adjacent.
func perBundle(tools []mcpserver.ToolCost) []bundlePrice {
	var sums []bundlePrice
	for _, tool := range tools {
		if len(sums) == 0 || sums[len(sums)-1].Bundle != tool.Bundle {
			sums = append(sums, bundlePrice{Bundle: tool.Bundle})
		}
		sum := &sums[len(sums)-1]
		sum.Tools++
		sum.Listed += tool.Listed
		sum.Brief += tool.Brief
		sum.Spec += tool.Spec
	}
	return sums
}

// PrintTokens prints a report for people.
func PrintTokens(a *app.App, report TokenReport) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "EXPOSE\tTOOLS LISTED\tTOKENS\tTOKENS SAVED\tBREAK-EVEN SEARCHES\tWITH DESCRIPTION")
	for _, m := range report.Modes {
		name := string(m.Expose)
		if m.Current {
			name += " (now)"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\n", name, m.Tools, m.Tokens, m.Saved, m.BreakEvenSearches, m.BreakEvenDescribed)
	}
	fmt.Fprintln(w, "\nBUNDLE\tTOOLS\tTOKENS IN LISTING\tIN SEARCH RESULT\tIN DESCRIPTION")
	for _, b := range report.Bundles {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", b.Bundle, b.Tools, b.Listed, b.Brief, b.Spec)
	}
	fmt.Fprintln(w, "\nTOOL\t\tTOKENS IN LISTING\tIN SEARCH RESULT\tIN DESCRIPTION")
	for _, tool := range report.Tools {
		fmt.Fprintf(w, "%s\t\t%d\t%d\t%d\n", tool.Tool, tool.Listed, tool.Brief, tool.Spec)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.Stdout, "\n%s A search costs about %d tokens,\na description %d more. `kota tokens --help` explains the columns.\nThe pages of `kota console` cost no token: they are in no listing, and no model reads them.\n",
		report.Estimate, report.Turn.Find, report.Turn.Describe)
	return err
}
