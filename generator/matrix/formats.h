// The shapes of strings that columns of the matrix have.
#pragma once

#include "generator/matrix/schema.h"

namespace wheelwright::formats {

extern const Format kAction;
extern const Format kActionVersion;
extern const Format kBranchFilter;
extern const Format kBucket;
extern const Format kBucketPattern;
extern const Format kCron;
extern const Format kDigest;
extern const Format kFamilyKey;
extern const Format kFolder;
extern const Format kGfxTarget;
extern const Format kGitRef;
extern const Format kGlob;
extern const Format kId;
extern const Format kImage;
extern const Format kIssueLink;
extern const Format kKey;
extern const Format kKeyPrefix;
extern const Format kName;
extern const Format kPythonVersion;
extern const Format kRegion;
extern const Format kReleaseVersion;
extern const Format kRepository;
extern const Format kRole;
extern const Format kRunnerLabel;
extern const Format kSha;
extern const Format kTimestamp;
extern const Format kToolVersion;
extern const Format kTorchVersion;
extern const Format kUrl;
extern const Format kVersionRange;
extern const Format kVersionBounds;
extern const Format kWorkflowPath;

// Whether `text` has the shape. Texts of more than 1000 bytes have none.
bool Fits(const Format& format, std::string_view text);

}  // namespace wheelwright::formats
