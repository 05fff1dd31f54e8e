extension SettingsReader {
    /// Reads the version of the terms, which both the bridge and the page use.
    ///
    /// - Returns: nil if there are no terms.
    public mutating func termsVersion() -> String? {
        let rule = "must have at most \(maximumTermsVersion) bytes"
        let version = value("terms.version", "", rule) { text -> String? in
            text.utf8.count <= maximumTermsVersion ? text : nil
        }
        return version.isEmpty ? nil : version
    }
}

/// In bytes.
private let maximumTermsVersion = 64
