#ifndef PIPIT_CCURL_SHIM_H
#define PIPIT_CCURL_SHIM_H

// libcurl brings some thirty libraries with it, which would be loaded at each start of a program that
// seldom downloads. So it is opened when it is needed, and each function is called through the pointer
// that dlsym gave (`f`): one line for each, and for each kind of value of the variadic one.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef size_t (*pipit_curl_receiver)(char *, size_t, size_t, void *);
typedef CURLcode (*pipit_curl_setter)(CURL *, CURLoption, ...);

static inline CURLcode pipit_curl_global_init(void *f) {
  return ((CURLcode (*)(long))f)(CURL_GLOBAL_DEFAULT);
}
static inline CURL *pipit_curl_easy_init(void *f) {
  return ((CURL * (*)(void)) f)();
}
static inline void pipit_curl_easy_reset(void *f, CURL *handle) {
  ((void (*)(CURL *))f)(handle);
}
static inline void pipit_curl_easy_cleanup(void *f, CURL *handle) {
  ((void (*)(CURL *))f)(handle);
}
static inline CURLcode pipit_curl_easy_perform(void *f, CURL *handle) {
  return ((CURLcode (*)(CURL *))f)(handle);
}
static inline const char *pipit_curl_easy_strerror(void *f, CURLcode code) {
  return ((const char *(*)(CURLcode))f)(code);
}
static inline struct curl_slist *pipit_curl_slist_append(void *f, struct curl_slist *list, const char *text) {
  return ((struct curl_slist * (*)(struct curl_slist *, const char *)) f)(list, text);
}
static inline void pipit_curl_slist_free_all(void *f, struct curl_slist *list) {
  ((void (*)(struct curl_slist *))f)(list);
}
static inline CURLcode pipit_curl_set_text(void *f, CURL *handle, CURLoption option, const char *value) {
  return ((pipit_curl_setter)f)(handle, option, value);
}
static inline CURLcode pipit_curl_set_number(void *f, CURL *handle, CURLoption option, long value) {
  return ((pipit_curl_setter)f)(handle, option, value);
}
static inline CURLcode pipit_curl_set_pointer(void *f, CURL *handle, CURLoption option, void *value) {
  return ((pipit_curl_setter)f)(handle, option, value);
}
static inline CURLcode pipit_curl_set_receiver(void *f, CURL *handle, CURLoption option, pipit_curl_receiver value) {
  return ((pipit_curl_setter)f)(handle, option, value);
}
static inline CURLcode pipit_curl_set_progress(void *f, CURL *handle, curl_xferinfo_callback value) {
  return ((pipit_curl_setter)f)(handle, CURLOPT_XFERINFOFUNCTION, value);
}

#endif
