package gmail

import (
	"context"
	"fmt"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/metadata"
)

type listLabelsIn struct {
	Account string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

type listLabelsOut struct {
	Labels []label        `json:"labels"`
	Errors []accountError `json:"account_errors,omitempty"`
}

type label struct {
	Account string `json:"account,omitempty"` // with account "*"
	ID      string `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type" enum:"system,user"`
}

func (g *gmail) listLabelsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_labels", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary:  "List the mailbox's labels.",
		Tags:     []string{"labels", "folders"},
		Phrases:  []string{"which labels do I have", "what folders are there in my mail"},
		Examples: []metadata.Example{{Title: "All labels", Args: listLabelsIn{}}},
		Errors:   []metadata.Code{metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable},
	}, g.listLabels)
}

func (g *gmail) listLabels(ctx context.Context, in listLabelsIn) (listLabelsOut, error) {
	answers, failed, err := inAccounts(ctx, g, in.Account, func(ctx context.Context, m *mailbox) ([]label, error) {
		list, err := m.api.Users.Labels.List(me).Context(ctx).Do()
		if err != nil {
			return nil, fmt.Errorf("list labels: %w", err)
		}
		return labelsOf(list.Labels, m.account, in.Account == everyAccount), nil
	})
	out := listLabelsOut{Labels: []label{}, Errors: failed}
	for _, labels := range answers {
		out.Labels = append(out.Labels, labels...)
	}
	return out, err
}

func labelsOf(list []*gmailapi.Label, account Account, several bool) []label {
	labels := []label{}
	for _, l := range list {
		shown := label{ID: l.Id, Name: l.Name, Type: l.Type}
		if several {
			shown.Account = account.Name
		}
		labels = append(labels, shown)
	}
	return labels
}
