extension SettingsReader {
    /// Reads the version of the terms, which the bridge and the page both know.
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

/// Bytes.
private let maximumTermsVersion = 64
