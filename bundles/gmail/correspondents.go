package gmail

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"kota/bundles"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/recipients"
	"kota/metadata"
)

// A Correspondent is a person whom the user has written to.
type Correspondent struct {
	bundles.Person
	Times int // how often, as far as the cache of mail knows
}

// WrittenTo returns a function that finds the people with a name to whom the user wrote, those written
// to most first. It only reads the cache of mail, and makes no request.
func WrittenTo(deps Deps) func(ctx context.Context, name string) ([]Correspondent, error) {
	return func(ctx context.Context, name string) ([]Correspondent, error) {
		accounts, err := deps.Accounts()
		if err != nil {
			return nil, err
		}
		found := map[string]*Correspondent{}
		for _, account := range accounts {
			cache, err := deps.Stores.Cache(ctx, account.Key())
			if err != nil {
				return nil, err
			}
			sent, err := cache.SentHeaders(ctx)
			if err != nil {
				return nil, err
			}
			for _, header := range sent {
				countNamed(found, header, name)
			}
		}
		list := slices.SortedFunc(maps.Values(found), func(a, b *Correspondent) int {
			return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Address, b.Address))
		})
		all := make([]Correspondent, 0, len(list))
		for _, c := range list {
			c.Known = "written to " + metadata.CountOf(c.Times, "time")
			all = append(all, *c)
		}
		return all, nil
	}
}

// countNamed counts the people in an address header who have the name.
func countNamed(found map[string]*Correspondent, header, name string) {
	if !recipients.Has(header, name) {
		return
	}
	list, _ := mailmsg.ParseAddressList(header)
	for _, a := range list {
		if !recipients.Has(a.Name, name) {
			continue
		}
		key := mailmsg.Canonical(a.Address)
		if found[key] == nil {
			found[key] = &Correspondent{Person: bundles.Person{Name: a.Name, Address: a.Address, Untrusted: true}}
		}
		found[key].Times++
	}
}
