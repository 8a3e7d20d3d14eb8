package gmail

import (
	"context"
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type manageLabelIn struct {
	Operation string `json:"operation" enum:"create,rename,delete,show,hide,color"`
	Name      string `json:"name" min:"1" max:"225" doc:"nested: \"Work/Receipts\""`
	NewName   string `json:"new_name,omitempty" max:"225" doc:"rename: the whole new name"`
	Color     string `json:"color,omitempty" enum:"red,orange,yellow,green,teal,blue,purple,pink,brown,gray,black,none"`
	Account   string `json:"account,omitempty" doc:"name or address" audit:"show"`
}

type manageLabelOut struct {
	Labels   []label `json:"labels"`             // as they are now; of delete, as they were
	Messages int     `json:"messages,omitempty"` // delete: that had the label
	Note     string  `json:"note,omitempty"`
	UndoID   string  `json:"undo_id,omitempty"` // for gmail_undo
}

// colors are pairs of Gmail's palette, a background and a text on it that can
// be read.
var colors = map[string]*gmailapi.LabelColor{
	"red":    {BackgroundColor: "#cc3a21", TextColor: "#ffffff"},
	"orange": {BackgroundColor: "#ffad47", TextColor: "#000000"},
	"yellow": {BackgroundColor: "#fad165", TextColor: "#000000"},
	"green":  {BackgroundColor: "#16a766", TextColor: "#ffffff"},
	"teal":   {BackgroundColor: "#2da2bb", TextColor: "#ffffff"},
	"blue":   {BackgroundColor: "#4a86e8", TextColor: "#ffffff"},
	"purple": {BackgroundColor: "#8e63ce", TextColor: "#ffffff"},
	"pink":   {BackgroundColor: "#e07798", TextColor: "#ffffff"},
	"brown":  {BackgroundColor: "#7a4706", TextColor: "#ffffff"},
	"gray":   {BackgroundColor: "#999999", TextColor: "#000000"},
	"black":  {BackgroundColor: "#000000", TextColor: "#ffffff"},
	"none":   nil,
}

func (g *gmail) manageLabelAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "manage_label", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeModify},
		Summary:     "Create, rename, delete, show, hide or colour a label.",
		Description: "gmail_undo undoes it.",
		Tags:        []string{"labels", "folders", "organise"},
		Aliases: metadata.Aliases(
			"create add new: label (operation: create)",
			"update rename edit: label (operation: rename)",
			"delete: label (operation: delete)",
		),
		Phrases: []string{
			"make a label, a new label called taxes",
			"create a new mail folder for travel",
			"rename my folder or tag in the mailbox to another name",
			"delete that label, I no longer use it",
			"give that folder a color, a green or red label",
			"hide this folder in the sidebar",
			"a sub-folder under work, nest one label in another",
			"maak een map voor facturen, hernoem het label",
			"lege ein Label an, neuer Ordner für Rechnungen",
			"crée un libellé, renomme le dossier",
			"crea una etiqueta nueva, cambia el nombre de la carpeta",
		},
		Examples: []metadata.Example{
			{Title: "A nested one", Args: manageLabelIn{Operation: "create", Name: "Work/Receipts", Color: "green"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.TooLarge, metadata.OutcomeUnknown),
		Notes: []string{
			"create makes the parents of a nested label too. rename renames what is nested in it as well.",
			"delete takes the label off its messages, which stay; labels nested in it stay too. gmail_undo makes it anew, with another id, and puts it back on them. Filters that used it are not mended.",
			"Gmail's own labels (inbox, promotions, …) cannot be changed.",
		},
	}, g.manageLabel)
}

func (g *gmail) manageLabel(ctx context.Context, in manageLabelIn) (manageLabelOut, error) {
	name, err := labelName("name", in.Name)
	if err != nil {
		return manageLabelOut{}, err
	}
	switch {
	case (in.Operation == "rename") != (in.NewName != ""):
		return manageLabelOut{}, arguments.Invalid("new_name", "a name with rename, and with it alone", fmt.Sprintf("%q with %s", in.NewName, in.Operation))
	case in.Color != "" && in.Operation != "color" && in.Operation != "create", in.Color == "" && in.Operation == "color":
		return manageLabelOut{}, arguments.Invalid("color", "a color with color, and else with create alone", fmt.Sprintf("%q with %s", in.Color, in.Operation))
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return manageLabelOut{}, err
	}
	set, err := m.ReadLabels(ctx)
	if err != nil {
		return manageLabelOut{}, err
	}
	defer m.ForgetLabels()
	if in.Operation == "create" {
		return createLabel(ctx, m, set, name, in.Color)
	}
	one := set.Own(name)
	if one == nil {
		return manageLabelOut{}, mailbox.UnknownLabels([]metadata.Problem{set.Unknown(ctx, "name", name)})
	}
	switch in.Operation {
	case "rename":
		newName, err := labelName("new_name", in.NewName)
		if err != nil {
			return manageLabelOut{}, err
		}
		return renameLabel(ctx, m, set, one, newName)
	case "delete":
		return deleteLabel(ctx, m, set, one)
	}
	return changeAppearance(ctx, m, set, one, in)
}

// labelName returns the name as Gmail keeps it, or a VALIDATION_ERROR for one
// that it does not take.
func labelName(path, name string) (string, error) {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
		if parts[i] == "" || mailbody.Line(parts[i], 225) != parts[i] {
			return "", arguments.Invalid(path, `a name such as "Receipts" or "Work/Receipts"`, fmt.Sprintf("%q", arguments.Brief(name)))
		}
	}
	name = strings.Join(parts, "/")
	if mailbox.IsSystemLabel(name) {
		return "", arguments.Invalid(path, "a name that is not one of Gmail's own labels", fmt.Sprintf("%q", name))
	}
	return name, nil
}
