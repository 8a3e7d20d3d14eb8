package discovery

import "kota/metadata"

// The levels of detail of a description without schemas.
const (
	detailBrief = "brief"
	detailSpec  = "spec"
)

// A LevelDescription describes a bundle with detailBrief or detailSpec.
type LevelDescription struct {
	Key           string                  `json:"key"`
	Name          string                  `json:"name"`
	Description   string                  `json:"description"`
	Enabled       bool                    `json:"enabled"`
	Unavailable   string                  `json:"unavailable,omitempty"`
	Actions       []LevelAction           `json:"actions"`
	Missing       []MissingAction         `json:"missing,omitempty"` // requested actions that are not shown
	Relationships []metadata.Relationship `json:"relationships"`
}

// A LevelAction describes an action: Brief or Spec is set, according to the level.
type LevelAction struct {
	Tool  string `json:"tool_name"`
	Brief string `json:"brief,omitempty"`
	Spec  string `json:"spec,omitempty"`
}

// describeLevel returns the bundle and its actions with detailBrief or detailSpec.
func describeLevel(about metadata.Bundle, detail string, missing []MissingAction) LevelDescription {
	d := LevelDescription{
		Key: about.Key, Name: about.Name, Description: about.Description, Enabled: about.Enabled, Unavailable: about.Unavailable,
		Actions: []LevelAction{}, Missing: missing, Relationships: about.Relationships,
	}
	for _, a := range about.Actions {
		action := LevelAction{Tool: a.Tool}
		if detail == detailBrief {
			action.Brief = a.Brief()
		} else {
			action.Spec = a.Spec()
		}
		d.Actions = append(d.Actions, action)
	}
	return d
}
