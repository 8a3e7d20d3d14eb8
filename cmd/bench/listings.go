package main

import "context"

// everyBundle is the line of bundles.yaml that enables all bundles.
const everyBundle = "bundles: {memory: on, daily: on, gmail: on, calendar: on}"

// autoBudget is the default tool_budget_tokens.
const autoBudget = 4000

// listings counts the o200k tokens of tools/list in each mode except `all`,
// with every bundle enabled and an unused home.
func (b *bench) listings(ctx context.Context) ([]row, error) {
	rows := []row{}
	for _, mode := range []struct {
		expose string
		most   int
	}{{"discovery", 1000}, {"core", 1500}, {"auto", autoBudget}} {
		c, err := b.countTokens(ctx, mode.expose, "expose: "+mode.expose+"\n"+everyBundle)
		if err != nil {
			return nil, err
		}
		tokens, tools := c.totals()
		rows = append(rows, newMaxRow("all of tools/list under `expose: "+mode.expose+"`", "≤ "+groupDigits(mode.most)+" tokens (o200k)", tokens, mode.most,
			"%d tokens, %d tools", tokens, tools))
	}
	return rows, nil
}

// totals returns the tokens and the number of tools of the whole listing.
func (c tokenCount) totals() (tokens, tools int) {
	for bundle := range c.tokens {
		tokens += c.tokens[bundle]
		tools += c.tools[bundle]
	}
	return tokens, tools
}
