import FoundationEssentials

/// How the network is used: what the environment says, and how patient to be.
package struct NetworkSettings: Sendable {
  /// Where the Hugging Face Hub is, without a slash at its end.
  package var endpoint = "https://huggingface.co"
  /// Sent to the endpoint and nowhere else.
  package var token: String?
  /// A file of certificates to trust in place of the system's.
  package var certificates: String?
  /// The folder of the Hub's own cache.
  package var hubCache: String
  /// What forbids to use it, as the user gave it; nil when nothing does.
  package var offlineSwitch: String?
  package var isOffline: Bool { offlineSwitch != nil }
  /// Seconds without a byte after which a connection is given up.
  package var stallLimit = 30
  package var connectLimit = 15
  /// Failures in a row, without anything coming, after which a file is given up.
  package var attempts = 8
  /// The same while nothing has ever come: a name that does not exist or a portal before the network
  /// does not pass by waiting.
  package var firstAttempts = 2
  /// Seconds before the second attempt; doubled each time, up to `longestDelay`.
  package var firstDelay = 0.5
  package var longestDelay = 20.0
  /// Seconds that a server may ask to wait.
  package var longestWait = 120
  /// Is told before something is tried again, on the thread that waits.
  package var retrying: @Sendable (RetryNote) -> Void = { _ in }

  /// The settings that the environment makes: HF_ENDPOINT, HF_TOKEN, HF_HUB_CACHE, HF_HOME,
  /// HF_HUB_OFFLINE, SSL_CERT_FILE; proxies are libcurl's own business.
  package init(environment: (String) -> String?) {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if var endpoint = value("HF_ENDPOINT") {
      while endpoint.hasSuffix("/") { endpoint.removeLast() }
      self.endpoint = endpoint
    }
    token = value("HF_TOKEN")
    certificates = value("SSL_CERT_FILE") ?? value("CURL_CA_BUNDLE")
    let cache = value("XDG_CACHE_HOME") ?? (HomeFolder.path(environment) ?? "") + "/.cache"
    hubCache = value("HF_HUB_CACHE") ?? (value("HF_HOME") ?? cache + "/huggingface") + "/hub"
    if ["1", "true", "yes", "on"].contains(value("HF_HUB_OFFLINE")?.lowercased() ?? "") {
      offlineSwitch = "HF_HUB_OFFLINE"
    }
    if let seconds = value("PIPIT_NETWORK_PATIENCE").flatMap(Double.init), seconds > 0 {
      stallLimit = max(1, Int(seconds))
      firstDelay = min(firstDelay, seconds / 20)
      longestDelay = min(longestDelay, seconds)
      longestWait = min(longestWait, max(1, Int(seconds)))
    }
  }
}
