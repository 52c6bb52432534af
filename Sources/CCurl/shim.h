#ifndef PIPIT_CCURL_SHIM_H
#define PIPIT_CCURL_SHIM_H

// Swift calls no variadic functions: one line for each kind of value.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef size_t (*pipit_curl_receiver)(char *, size_t, size_t, void *);

static inline CURLcode pipit_curl_initialise(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}
static inline CURLcode pipit_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode pipit_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode pipit_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode pipit_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode pipit_curl_set_receiver(CURL *handle, CURLoption option, pipit_curl_receiver value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode pipit_curl_set_progress(CURL *handle, curl_xferinfo_callback value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

#endif
