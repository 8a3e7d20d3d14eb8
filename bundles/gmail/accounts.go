package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type listAccountsIn struct{}

type listAccountsOut struct {
	Accounts []accountRow          `json:"accounts"` // the default account first
	Errors   []google.AccountError `json:"account_errors,omitempty"`
}

type accountRow struct {
	Name      string     `json:"name"` // the value for the argument account
	Address   string     `json:"address"`
	Default   bool       `json:"default,omitempty"`
	Addresses []aliasRow `json:"addresses"` // the possible values of the argument from
}

type aliasRow struct {
	Address    string `json:"address"`
	Name       string `json:"name,omitempty"`
	Default    bool   `json:"default,omitempty"`
	Signature  bool   `json:"signature"` // whether KOTA adds a signature to mail from this address
	ReplyTo    string `json:"reply_to,omitempty"`
	Unverified bool   `json:"unverified,omitempty"` // mail cannot be sent from this address yet
}

func (g *gmail) listAccountsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_accounts", Effect: metadata.Reads, Scopes: []string{mailbox.ScopeRead},
		Summary: "List the accounts and the addresses that mail can be sent from.",
		Tags:    []string{"account", "alias", "identity", "from"},
		Aliases: metadata.Aliases{
			"get: accounts profile",
			"accounts whoami: -",
		},
		Examples: []metadata.Example{{Title: "All accounts", Args: listAccountsIn{}}},
		Errors:   google.Errors(),
	}, g.listAccounts)
}

func (g *gmail) listAccounts(ctx context.Context, _ listAccountsIn) (listAccountsOut, error) {
	rows, failed, err := google.InAccounts(ctx, g.Accounts, google.AllAccounts, g.Open, func(ctx context.Context, m *mailbox.Mailbox) (accountRow, error) {
		identities, err := m.Identities(ctx)
		return describeAccount(m, identities), err
	})
	if err != nil {
		return listAccountsOut{}, err
	}
	if accounts, err := g.Accounts(); err == nil && len(accounts) > 0 {
		for i := range rows {
			rows[i].Default = rows[i].Name == accounts[0].Name
		}
	}
	return listAccountsOut{Accounts: rows, Errors: failed}, nil
}

func describeAccount(m *mailbox.Mailbox, identities mailbox.Identities) accountRow {
	row := accountRow{Name: m.Account.Name, Address: m.Account.Address, Addresses: []aliasRow{}}
	defaultIdentity := identities.Default()
	for _, i := range identities {
		alias := aliasRow{
			Address: i.Address.Address, Name: i.Address.Name, Signature: i.Signature != "", Unverified: !i.Verified,
			Default: defaultIdentity.Address != nil && i.Address.Address == defaultIdentity.Address.Address,
		}
		if i.ReplyTo != nil {
			alias.ReplyTo = i.ReplyTo.Address
		}
		if i.Primary && row.Address == "" {
			row.Address = i.Address.Address
		}
		row.Addresses = append(row.Addresses, alias)
	}
	return row
}
