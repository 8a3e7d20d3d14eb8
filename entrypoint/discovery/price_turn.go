package discovery

import (
	"context"

	"kota/entrypoint"
	"kota/metadata"
)

// PriceTurn asks the discovery tools for every enabled action, by its summary and by
// its name. It returns 0 if no action is enabled. It searches only by words, so nothing
// leaves the process.
func (c *Catalogue) PriceTurn(ctx context.Context) (entrypoint.TurnPrice, error) {
	var sum entrypoint.TurnPrice
	byWords := *c
	byWords.meaning = nil
	actions := c.Listable()
	for _, a := range actions {
		found := discoverIn{Query: a.Summary, EnabledOnly: true, Detail: detailSignatures, Limit: 5}
		price, err := priceCall(ctx, found, func(ctx context.Context, in discoverIn) (any, error) { return byWords.discover(ctx, in) })
		if err != nil {
			return entrypoint.TurnPrice{}, err
		}
		sum.Find += price
		read := describeIn{Bundle: a.BundleKey(), Actions: []string{a.Name}, Detail: detailSpec}
		if price, err = priceCall(ctx, read, byWords.describe); err != nil {
			return entrypoint.TurnPrice{}, err
		}
		sum.ReadUp += price
	}
	if len(actions) == 0 {
		return entrypoint.TurnPrice{}, nil
	}
	return entrypoint.TurnPrice{Find: sum.Find / len(actions), ReadUp: sum.ReadUp / len(actions)}, nil
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
