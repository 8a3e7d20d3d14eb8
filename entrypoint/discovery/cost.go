package discovery

import (
	"context"

	"kota/entrypoint"
	"kota/metadata"
)

// EstimateCost searches for each enabled action by its summary and describes it by its name.
// It returns the mean costs, or 0 if no action is enabled. It does not use SemanticSearch,
// so no text leaves the process.
func (c *Catalogue) EstimateCost(ctx context.Context) (entrypoint.DiscoveryCost, error) {
	var sum entrypoint.DiscoveryCost
	byWords := *c
	byWords.semantic = nil
	actions := c.Listable()
	for _, a := range actions {
		found := discoverIn{Query: a.Summary, EnabledOnly: true, Detail: detailSignatures, Limit: 5}
		cost, err := estimateCall(ctx, found, func(ctx context.Context, in discoverIn) (any, error) { return byWords.discover(ctx, in) })
		if err != nil {
			return entrypoint.DiscoveryCost{}, err
		}
		sum.Find += cost
		read := describeIn{Bundle: a.BundleKey(), Actions: []string{a.Name}, Detail: detailSpec}
		if cost, err = estimateCall(ctx, read, byWords.describe); err != nil {
			return entrypoint.DiscoveryCost{}, err
		}
		sum.Describe += cost
	}
	if len(actions) == 0 {
		return entrypoint.DiscoveryCost{}, nil
	}
	return entrypoint.DiscoveryCost{Find: sum.Find / len(actions), Describe: sum.Describe / len(actions)}, nil
}

// estimateCall estimates the tokens of a call's arguments and of its answer.
func estimateCall[In any](ctx context.Context, in In, call func(context.Context, In) (any, error)) (int, error) {
	out, err := call(ctx, in)
	if err != nil {
		return 0, err
	}
	args, err := metadata.Plain(in)
	if err != nil {
		return 0, err
	}
	answer, err := metadata.Plain(out)
	if err != nil {
		return 0, err
	}
	return metadata.Tokens(args) + metadata.Tokens(answer), nil
}
