package filters

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/search"
	"kota/bundles/internal/arguments"
)

// filterOf returns the filter that a call describes. It also returns the names of the
// user's labels in the filter, by id. It returns a VALIDATION_ERROR for a filter without a
// condition or an action, or that Gmail would refuse.
func filterOf(ctx context.Context, m *mailbox.Mailbox, in ManageIn) (*gmailapi.Filter, map[string]string, error) {
	criteria := &gmailapi.FilterCriteria{
		From: strings.TrimSpace(in.From), To: strings.TrimSpace(in.To), Subject: strings.TrimSpace(in.Subject),
		Query: strings.TrimSpace(in.Query), NegatedQuery: strings.TrimSpace(in.Without), HasAttachment: in.Attachment,
	}
	switch {
	case in.Larger > 0 && in.Smaller > 0:
		return nil, nil, arguments.Invalid("smaller", "larger or smaller", "both")
	case in.Larger > 0:
		criteria.Size, criteria.SizeComparison = in.Larger, "larger"
	case in.Smaller > 0:
		criteria.Size, criteria.SizeComparison = in.Smaller, "smaller"
	}
	if criteriaQuery(criteria) == "" {
		return nil, nil, arguments.Invalid("from", "a condition", "none").WithHint("Give at least one of from, to, subject, query, without, has_attachment, larger and smaller.")
	}
	ids, err := m.LabelIDs(ctx, "add_labels", in.Labels)
	if err != nil {
		return nil, nil, err
	}
	action := &gmailapi.FilterAction{AddLabelIds: ids}
	own := 0
	for i, id := range ids {
		switch {
		case strings.HasPrefix(id, "CATEGORY_"):
		case mailbox.IsSystemLabel(id):
			return nil, nil, arguments.Invalid(fmt.Sprintf("add_labels[%d]", i), "one of the user's labels or a category", fmt.Sprintf("%q", in.Labels[i])).
				WithHint("For Gmail's own labels use archive, read, star, important, never_spam and trash.")
		default:
			own++
		}
	}
	if own > 1 {
		return nil, nil, arguments.Invalid("add_labels", "one of the user's labels", fmt.Sprint(own)).
			WithHint("A Gmail filter can only add one of them: create a filter for each.")
	}
	in.flags(action)
	if len(action.AddLabelIds)+len(action.RemoveLabelIds) == 0 {
		return nil, nil, arguments.Invalid("archive", "something to do", "nothing").
			WithHint("Give at least one of archive, read, star, important, never_spam, trash and add_labels. KOTA does not create filters that forward mail.")
	}
	f := &gmailapi.Filter{Criteria: criteria, Action: action}
	names, err := userLabels(ctx, m, f)
	return f, names, err
}

// flags adds to action the labels for all arguments except add_labels.
func (in ManageIn) flags(action *gmailapi.FilterAction) {
	important := in.Important != nil && *in.Important
	unimportant := in.Important != nil && !*in.Important
	for _, f := range []struct {
		given bool
		list  *[]string
		label string
	}{
		{in.Archive, &action.RemoveLabelIds, mailbox.Inbox},
		{in.Read, &action.RemoveLabelIds, mailbox.Unread},
		{in.NeverSpam, &action.RemoveLabelIds, mailbox.Spam},
		{unimportant, &action.RemoveLabelIds, mailbox.Important},
		{important, &action.AddLabelIds, mailbox.Important},
		{in.Star, &action.AddLabelIds, mailbox.Starred},
		{in.Trash, &action.AddLabelIds, mailbox.Trash},
	} {
		if f.given {
			*f.list = append(*f.list, f.label)
		}
	}
}

// userLabels returns the names of the user's labels that a filter adds or removes, by id.
func userLabels(ctx context.Context, m *mailbox.Mailbox, f *gmailapi.Filter) (map[string]string, error) {
	names := map[string]string{}
	if f.Action == nil {
		return names, nil
	}
	ids := slices.Concat(f.Action.AddLabelIds, f.Action.RemoveLabelIds)
	list, err := m.LabelNames(ctx, ids)
	for i, name := range list {
		if name != ids[i] {
			names[ids[i]] = name
		}
	}
	return names, err
}

// isSameFilter reports whether two filters have the same conditions and actions.
func isSameFilter(a, b *gmailapi.Filter) bool {
	return isForSameMail(a, b) && actionKey(a.Action) == actionKey(b.Action)
}

// isForSameMail reports whether two filters have the same conditions.
func isForSameMail(a, b *gmailapi.Filter) bool {
	return foldQuery(criteriaQuery(a.Criteria)) == foldQuery(criteriaQuery(b.Criteria))
}

// foldQuery returns a query in lower case, except for words that are operators only in
// capitals.
func foldQuery(query string) string {
	words := strings.Fields(query)
	for i, word := range words {
		if word != "OR" && word != "AND" && word != "AROUND" {
			words[i] = strings.ToLower(word)
		}
	}
	return strings.Join(words, " ")
}

func actionKey(a *gmailapi.FilterAction) string {
	if a == nil {
		return ""
	}
	return fmt.Sprint(slices.Sorted(slices.Values(a.AddLabelIds)), slices.Sorted(slices.Values(a.RemoveLabelIds)), a.Forward)
}

// criteriaQuery returns the conditions in Gmail's search language.
func criteriaQuery(c *gmailapi.FilterCriteria) string {
	if c == nil {
		return ""
	}
	var terms []string
	for _, t := range []struct{ prefix, value string }{{"from:", c.From}, {"to:", c.To}, {"subject:", c.Subject}, {"", c.Query}, {"-", c.NegatedQuery}} {
		value := strings.Join(strings.Fields(t.value), " ")
		switch {
		case value == "":
		case t.prefix == "" && !search.OrOperator().MatchString(value), search.PlainTerm().MatchString(value):
			terms = append(terms, t.prefix+value)
		default:
			terms = append(terms, t.prefix+"("+value+")")
		}
	}
	if c.HasAttachment {
		terms = append(terms, "has:attachment")
	}
	if c.SizeComparison == "larger" || c.SizeComparison == "smaller" {
		terms = append(terms, fmt.Sprintf("%s:%d", c.SizeComparison, c.Size))
	}
	return strings.Join(terms, " ")
}

// labelActions maps the ids of Gmail's own labels to words for adding and removing them.
var labelActions = map[string]struct{ add, remove string }{
	mailbox.Inbox:     {"move to inbox", "archive"},
	mailbox.Unread:    {"mark unread", "mark read"},
	mailbox.Spam:      {"report as spam", "never spam"},
	mailbox.Important: {"mark important", "never important"},
	mailbox.Starred:   {"star", "unstar"},
	mailbox.Trash:     {"trash", "never trash"},
}

// filterRows returns an answer with the filters in words, in the same order.
func filterRows(ctx context.Context, m *mailbox.Mailbox, filters ...*gmailapi.Filter) (ManageOut, error) {
	out := ManageOut{Filters: []Row{}}
	untrustedFilters, untrustedLabels := m.NameStore(mailbox.NameKindFilter).Untrusted(ctx, m.Account.Key()), m.NameStore(mailbox.NameKindLabel).Untrusted(ctx, m.Account.Key())
	for _, f := range filters {
		row := Row{ID: f.Id, If: mailbody.Line(criteriaQuery(f.Criteria), 2*mailbody.MaxSubject), Then: []string{}}
		row.Provenance = untrustedFilters.Provenance(ctx, criteriaQuery(f.Criteria))
		if f.Action == nil {
			f.Action = &gmailapi.FilterAction{}
		}
		names, err := userLabels(ctx, m, f)
		if err != nil {
			return ManageOut{}, err
		}
		if row.Provenance == nil {
			row.Provenance = untrustedLabels.Provenance(ctx, slices.Collect(maps.Values(names))...)
		}
		word := func(id, own, before string) string {
			if name, ok := names[id]; ok {
				return before + name
			}
			if own != "" {
				return own
			}
			return before + id
		}
		for _, id := range f.Action.AddLabelIds {
			row.Then = append(row.Then, word(id, labelActions[id].add, "label "))
		}
		for _, id := range f.Action.RemoveLabelIds {
			row.Then = append(row.Then, word(id, labelActions[id].remove, "remove label "))
		}
		if f.Action.Forward != "" {
			row.Then = append(row.Then, "forward to "+mailbody.Line(f.Action.Forward, mailbody.MaxName))
		}
		out.Filters = append(out.Filters, row)
	}
	return out, nil
}
