package entrypoint

import (
	"context"
	"strings"

	"kota/metadata"
)

// A Price is what a tool costs a model that reads it, in tokens as
// metadata.Tokens estimates them.
type Price struct {
	Tool   string `json:"tool_name"`
	Bundle string `json:"bundle"`
	Listed int    `json:"listed_tokens"`  // in tools/list, with its schema
	Brief  int    `json:"level_1_tokens"` // see metadata.Action.Brief
	Spec   int    `json:"level_2_tokens"` // see metadata.Action.Spec
}

// Prices are those of the tools that are listed under these options, in that
// order.
func (r *Router) Prices(o ServerOptions) []Price {
	var prices []Price
	for _, a := range r.Listing(o) {
		bundle, _, _ := strings.Cut(a.Tool, "_")
		prices = append(prices, Price{
			Tool: a.Tool, Bundle: bundle,
			Listed: PriceTool(a), Brief: metadata.Tokens(a.Brief()), Spec: metadata.Tokens(a.Spec()),
		})
	}
	return prices
}

// PriceListing estimates the tokens of tools/list under these options.
func (r *Router) PriceListing(o ServerOptions) int {
	tokens := 0
	for _, a := range r.Listing(o) {
		tokens += PriceTool(a)
	}
	return tokens
}

// A TurnPrice is what it costs to come upon an action that is not listed, the
// call and its answer together, as a mean over all actions.
type TurnPrice struct {
	Find   int `json:"find_tokens"`    // by kota_discover_bundles
	ReadUp int `json:"read_up_tokens"` // by kota_describe_bundle, on level 2
}

// PriceTurn asks the discovery tools for every action that is on, by its
// summary and by its name. It is 0 where there is none. It searches by words
// alone: nothing leaves the process for a price.
func (r *Router) PriceTurn(ctx context.Context) (TurnPrice, error) {
	var sum TurnPrice
	byWords := *r.catalogue
	byWords.meaning = nil
	actions := r.listable()
	for _, a := range actions {
		found := discoverIn{Query: a.Summary, EnabledOnly: true, Detail: detailSignatures, Limit: 5}
		price, err := priceCall(ctx, found, func(ctx context.Context, in discoverIn) (any, error) { return byWords.discover(ctx, in) })
		if err != nil {
			return TurnPrice{}, err
		}
		sum.Find += price
		read := describeIn{Bundle: strings.TrimSuffix(a.Tool, "_"+a.Name), Actions: []string{a.Name}, Detail: detailSpec}
		if price, err = priceCall(ctx, read, byWords.describe); err != nil {
			return TurnPrice{}, err
		}
		sum.ReadUp += price
	}
	if len(actions) == 0 {
		return TurnPrice{}, nil
	}
	return TurnPrice{Find: sum.Find / len(actions), ReadUp: sum.ReadUp / len(actions)}, nil
}

// priceCall estimates the tokens of a call's arguments and of its answer.
func priceCall[In any](ctx context.Context, in In, call func(context.Context, In) (any, error)) (int, error) {
	out, err := call(ctx, in)
	if err != nil {
		return 0, err
	}
	asked, err := metadata.Plain(in)
	if err != nil {
		return 0, err
	}
	answered, err := metadata.Plain(out)
	if err != nil {
		return 0, err
	}
	return metadata.Tokens(asked) + metadata.Tokens(answered), nil
}
