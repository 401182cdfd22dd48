package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	var secret, body string
	var sent map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&[]any{&secret, &body, &sent}); err != nil {
		panic(err)
	}
	headers := http.Header{}
	for name, value := range sent {
		headers.Set(name, value)
	}
	webhook, err := webhooks.NewWebhook(secret)
	if err != nil {
		panic(err)
	}
	if err := webhook.Verify([]byte(body), headers); err != nil {
		panic(err)
	}
	var event struct {
		Data struct {
			Image string `json:"image_id"`
		}
	}
	if err := json.Unmarshal([]byte(body), &event); err != nil {
		panic(err)
	}
	fmt.Println(event.Data.Image)
	if webhook.Verify([]byte(strings.ReplaceAll(body, "a.jpg", "b.jpg")), headers) == nil {
		fmt.Println("a changed body is accepted")
	} else {
		fmt.Println("a changed body is refused")
	}
}
