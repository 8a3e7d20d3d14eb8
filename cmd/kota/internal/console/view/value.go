package view

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Value is JSON whose members are in their order. It is a text, a list or an object.
type Value struct {
	Text    string
	Items   []Value
	Members []Member
}

// A Member is a member of an object.
type Member struct {
	Name string
	Value
}

// ParseValue parses the answer of an action.
func ParseValue(text []byte) (Value, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return parseValue(decoder)
}

func parseValue(decoder *json.Decoder) (v Value, err error) {
	token, err := decoder.Token()
	if err != nil {
		return v, err
	}
	delimiter, nested := token.(json.Delim)
	if !nested {
		if token != nil {
			v.Text = fmt.Sprint(token)
		}
		return v, nil
	}
	for decoder.More() {
		if delimiter == '[' {
			item, err := parseValue(decoder)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
			continue
		}
		name, err := decoder.Token()
		if err != nil {
			return v, err
		}
		value, err := parseValue(decoder)
		if err != nil {
			return v, err
		}
		v.Members = append(v.Members, Member{fmt.Sprint(name), value})
	}
	_, err = decoder.Token() // the closing bracket
	return v, err
}
