package discovery

import (
	"slices"

	"kota/metadata"
)

// policySummary says that the policy allows only reads, or that none of these actions may send.
// Otherwise it returns "", even if the policy has other restrictions. It is for a model that
// sees the actions, so that the model does not learn these restrictions from refusals.
func (c *Catalogue) policySummary(actions []catalogueAction) string {
	sends := slices.DeleteFunc(slices.Clone(actions), func(a catalogueAction) bool { return a.Effect != metadata.Sends || !a.bundle.Enabled })
	switch {
	case c.policy.ReadsOnly():
		return "Nothing can be changed here; only calls that read are allowed."
	case len(sends) == 0 || slices.ContainsFunc(sends, func(a catalogueAction) bool { return c.policy.MaySend(a.bundle.Key) }):
		return ""
	case slices.ContainsFunc(sends, func(a catalogueAction) bool { return a.Action.HasParam(metadata.AsDraft) }):
		return "Nothing is sent here: mail is saved as drafts, with " + metadata.AsDraft + " true."
	}
	return "Nothing is sent to anybody here."
}
