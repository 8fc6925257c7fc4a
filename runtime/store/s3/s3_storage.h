// A bucket as a store.
#pragma once

#include <memory>

#include "runtime/host/environment/host.h"
#include "runtime/store/s3/s3_transfer.h"
#include "runtime/store/storage/storage.h"
#include "runtime/store/storage/storage_place.h"

namespace wheelwright {

std::unique_ptr<Storage> OpenBucket(const StoragePlace& place, const S3Sizes& sizes, Host& host);

}  // namespace wheelwright
