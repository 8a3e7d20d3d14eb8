package gmail

import (
	"context"
	"fmt"

	"kota/bundles"
	"kota/bundles/gmail/internal/labels"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type listLabelsIn struct {
	Counts  bool   `json:"counts,omitempty" doc:"with total and unread; slower"`
	Account string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type listLabelsOut struct {
	Labels []labels.Label        `json:"labels"`
	Note   string                `json:"note,omitempty"`
	Errors []google.AccountError `json:"account_errors,omitempty"`
}

func (g *gmail) listLabelsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_labels", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary: "List the mailbox's labels.",
		Tags:    []string{"labels", "folders"},
		Aliases: metadata.Aliases{
			"get: labels",
			"labels: -",
		},
		Examples: []metadata.Example{{Title: "All labels", Args: listLabelsIn{}}, {Title: "How much is unread", Args: listLabelsIn{Counts: true}}},
		Errors:   []metadata.Code{metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable},
		Notes:    []string{"With counts, only the first 200 labels are counted."},
	}, g.listLabels)
}

func (g *gmail) listLabels(ctx context.Context, in listLabelsIn) (listLabelsOut, error) {
	answers, failed, err := google.InAccounts(ctx, g.Accounts, in.Account, g.Open, func(ctx context.Context, m *mailbox.Mailbox) ([]labels.Label, error) {
		set, err := m.ReadLabels(ctx)
		if err != nil {
			return nil, err
		}
		rows := labels.Rows(ctx, m, set, set.List...)
		for i := range rows {
			if in.Account == google.AllAccounts {
				rows[i].Account = m.Account.Name
			}
		}
		if in.Counts {
			err = labels.Count(ctx, m, rows[:min(len(rows), labels.MaxCounted)])
		}
		return rows, err
	})
	out := listLabelsOut{Labels: []labels.Label{}, Errors: failed}
	for _, rows := range answers {
		out.Labels = append(out.Labels, rows...)
		if in.Counts && len(rows) > labels.MaxCounted {
			out.Note = fmt.Sprintf("only the first %d labels of a mailbox are counted", labels.MaxCounted)
		}
	}
	return out, err
}
