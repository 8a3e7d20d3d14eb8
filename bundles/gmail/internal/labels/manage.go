package labels

import (
	"context"
	"fmt"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// ManageIn are the arguments of gmail_manage_label.
type ManageIn struct {
	Operation string `json:"operation" enum:"create,rename,delete,show,hide,color"`
	Name      string `json:"name" min:"1" max:"225" doc:"nested: \"Work/Receipts\""`
	NewName   string `json:"new_name,omitempty" max:"225" doc:"rename: the full new name"`
	Color     string `json:"color,omitempty" enum:"red,orange,yellow,green,teal,blue,purple,pink,brown,gray,black,none"`
	Account   string `json:"account,omitempty" doc:"name or address" audit:"show"`
}

// ManageOut is the result of gmail_manage_label.
type ManageOut struct {
	Labels   []Label `json:"labels"`             // the current labels; for delete, the deleted one
	Messages int     `json:"messages,omitempty"` // delete: the number of messages that had the label
	Note     string  `json:"note,omitempty"`
	UndoID   string  `json:"undo_id,omitempty"` // for gmail_undo
}

// colors maps names to colors of Gmail's palette: a background and a readable text color.
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

// labelName returns a name with single spaces. It returns a VALIDATION_ERROR if the name
// cannot be the name of a user's label. path is the argument that contains the name.
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

// Check returns the label's name with single spaces, or a VALIDATION_ERROR.
func (in ManageIn) Check() (name string, err error) {
	name, err = labelName("name", in.Name)
	if err != nil {
		return "", err
	}
	switch {
	case (in.Operation == "rename") != (in.NewName != ""):
		return "", arguments.Invalid("new_name", "a name, only with rename", fmt.Sprintf("%q with %s", in.NewName, in.Operation))
	case in.Color != "" && in.Operation != "color" && in.Operation != "create", in.Color == "" && in.Operation == "color":
		return "", arguments.Invalid("color", "a color, only with color or create", fmt.Sprintf("%q with %s", in.Color, in.Operation))
	}
	return name, nil
}

// Manage creates, changes or deletes the label. name is the result of Check.
func Manage(ctx context.Context, m *mailbox.Mailbox, name string, in ManageIn) (ManageOut, error) {
	set, err := m.ReadLabels(ctx)
	if err != nil {
		return ManageOut{}, err
	}
	defer m.ForgetLabels()
	if in.Operation == "create" {
		return createLabel(ctx, m, set, name, in.Color)
	}
	label := set.UserLabel(name)
	if label == nil {
		return ManageOut{}, mailbox.UnknownLabelsError([]metadata.Problem{set.UnknownProblem(ctx, "name", name)})
	}
	switch in.Operation {
	case "rename":
		newName, err := labelName("new_name", in.NewName)
		if err != nil {
			return ManageOut{}, err
		}
		return renameLabel(ctx, m, set, label, newName)
	case "delete":
		return deleteLabel(ctx, m, set, label)
	}
	return changeAppearance(ctx, m, set, label, in)
}
