package discovery

import "kota/metadata"

// The levels of detail of a description without schemas.
const (
	detailBrief = "brief"
	detailSpec  = "spec"
)

// A Described bundle is a description on one of these two levels.
type Described struct {
	Key           string                  `json:"key"`
	Name          string                  `json:"name"`
	Description   string                  `json:"description"`
	Enabled       bool                    `json:"enabled"`
	Unavailable   string                  `json:"unavailable,omitempty"`
	Actions       []DescribedAction       `json:"actions"`
	Missing       []Missing               `json:"missing,omitempty"` // actions that were asked for and are not shown
	Relationships []metadata.Relationship `json:"relationships"`
}

// A DescribedAction has the text of the requested level.
type DescribedAction struct {
	Tool  string `json:"tool_name"`
	Brief string `json:"brief,omitempty"`
	Spec  string `json:"spec,omitempty"`
}

// levels returns the bundle and its actions on that level of detail.
func levels(about metadata.Bundle, detail string, missing []Missing) Described {
	d := Described{
		Key: about.Key, Name: about.Name, Description: about.Description, Enabled: about.Enabled, Unavailable: about.Unavailable,
		Actions: []DescribedAction{}, Missing: missing, Relationships: about.Relationships,
	}
	for _, a := range about.Actions {
		said := DescribedAction{Tool: a.Tool}
		if detail == detailBrief {
			said.Brief = a.Brief()
		} else {
			said.Spec = a.Spec()
		}
		d.Actions = append(d.Actions, said)
	}
	return d
}
