package daily

import (
	"context"
	"slices"
	"strings"

	"kota/bundles/daily/internal/briefing"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// A linkOut is the target of a link of an entry.
type linkOut struct {
	Link   string `json:"link"`
	Title  string `json:"title,omitempty"`
	Status string `json:"status,omitempty" enum:"gone,not_connected,failed"` // absent if the target exists; failed: unknown
	Reason string `json:"reason,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the title
}

// maxLinks is the maximum number of links that an answer looks up.
const maxLinks = 20

// linkKinds maps the values of include to the prefix of such links.
var linkKinds = map[string]string{"memories": "memory", "events": "event", "mail": "mail"}

// addLinks adds the targets of the entries' links.
func (d *daily) addLinks(ctx context.Context, out *getOut, entries []*store.DayEntry, include []string) (err error) {
	out.Linked, out.MoreLinks, err = d.lookUpLinks(ctx, entries, include)
	for _, one := range out.Linked {
		if one.Provenance != nil && one.Provenance.Source != untrusted.Memory {
			out.Notice = sources.UntrustedNotice
		}
	}
	return err
}

// lookUpLinks looks up the links of the included kinds, each link once and all at the same
// time. more counts the links beyond maxLinks.
func (d *daily) lookUpLinks(ctx context.Context, entries []*store.DayEntry, include []string) (linked []linkOut, more int, err error) {
	links := []string{}
	for _, e := range entries {
		for _, link := range e.Links {
			kind, _, _ := strings.Cut(link, ":")
			included := slices.ContainsFunc(include, func(word string) bool { return linkKinds[word] == kind })
			if included && !slices.Contains(links, link) {
				links = append(links, link)
			}
		}
	}
	if len(links) == 0 {
		return nil, 0, nil
	}
	more = max(0, len(links)-maxLinks)
	linked = make([]linkOut, len(links)-more)
	all := panicsafe.New(len(linked))
	for i := range linked {
		all.Go(func() error {
			linked[i] = d.lookUpLink(ctx, links[i])
			return nil
		})
	}
	return linked, more, all.Wait()
}

// lookUpLink looks up one link. It reports "gone" only if the target is known to be missing.
func (d *daily) lookUpLink(ctx context.Context, link string) linkOut {
	kind, id, _ := strings.Cut(link, ":")
	if d.deps.Sources.Linked == nil {
		return linkOut{Link: link, Status: "not_connected"}
	}
	found, err := sources.Ask(ctx, d.deps.Log, kind, func(ctx context.Context) (sources.Found[sources.Target], error) {
		one, err := d.deps.Sources.Linked(ctx, kind, id)
		return sources.Found[sources.Target]{Items: []sources.Target{one}}, err
	})
	switch code := metadata.CodeOf(err); {
	case err == nil:
		one := found.Items[0]
		return linkOut{Link: link, Title: budget.Brief(htmltext.Line(one.Title), briefing.MaxTaskTokens), Provenance: titleProvenance(ctx, one, kind)}
	case code == metadata.NotFound || code == metadata.ValidationError: // a target with an invalid id cannot exist
		return linkOut{Link: link, Status: "gone", Reason: sources.Reason(err)}
	case sources.IsAbsent(err):
		return linkOut{Link: link, Status: "not_connected", Reason: sources.Reason(err)}
	}
	return linkOut{Link: link, Status: "failed", Reason: sources.Reason(err)}
}

// titleProvenance returns the provenance of a title, or nil if the user wrote it.
func titleProvenance(ctx context.Context, t sources.Target, kind string) *untrusted.Provenance {
	switch {
	case kind == "memory":
		return untrusted.MarkMemory(ctx, t.Source)
	case !t.Untrusted:
		return nil
	case kind == "event":
		return untrusted.Mark(ctx, untrusted.Event, "")
	}
	return untrusted.Mark(ctx, untrusted.Mail, "")
}
